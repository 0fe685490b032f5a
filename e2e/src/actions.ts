import type { Screen } from './browser/screen.ts';

/** A tap, a field, a stroke or a choice is one action; a file is two. */
const COSTS = { press: 1, pressInCheckout: 1, fill: 1, choose: 1, sign: 1, upload: 2 } as const;
const WAITS = ['sees', 'says', 'isAt', 'gone'] as const;

/** The wait after an action, without the time that its uploads take on the network. */
export type Step = { after: string; ms: number };

/**
 * Returns the same screen, and counts the actions on it and the steps: each from an action to the end of the first wait
 * after it, or to the next action. The time to type, draw or choose a file does not count.
 *
 * @param uploadMs returns the time that all uploads so far took on the network
 */
export function countActions(screen: Screen, uploadMs = () => 0) {
  let count = 0;
  let open: { after: string; begun: number } | undefined;
  const steps: Step[] = [];
  const now = () => performance.now() - uploadMs();
  const end = () => {
    if (open) steps.push({ after: open.after, ms: now() - open.begun });
    open = undefined;
  };
  type Act = (...args: unknown[]) => Promise<void>;
  const counted: Record<string, Act> = {};
  for (const [name, cost] of Object.entries(COSTS))
    counted[name] = async (...args) => {
      end();
      count += cost;
      const begun = now();
      await (screen[name as keyof typeof COSTS] as Act)(...args);
      const isPress = name.startsWith('press');
      open = { after: `${name} ${String(args[0] ?? '')}`, begun: isPress ? begun : now() };
    };
  for (const name of WAITS)
    counted[name] = async (...args) => {
      await (screen[name] as Act)(...args);
      end();
    };
  return {
    screen: { ...screen, ...counted } as Screen,
    actions: () => count,
    steps: () => {
      end();
      return steps;
    },
  };
}
