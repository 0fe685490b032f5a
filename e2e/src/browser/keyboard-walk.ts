/** A walk over a screen with the Tab key: what it comes to, what it does not, and whether it can be seen where one is. */
import type { Page } from 'puppeteer-core';

/** Presses beyond the number of stops: the browser's own stop between the last and the first one. */
const SPARE = 4;

/**
 * Walks once around.
 * @returns what is wrong: things that Tab does not come to, a trap, stops that cannot be seen or are covered, things
 *   without a name in the accessibility tree
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  await page.evaluate(installWalk);
  const stops = await page.evaluate(() => window.walk.begin());
  for (let i = 0; i < stops + SPARE; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => window.walk.arrive())) break;
  }
  return [...(await page.evaluate(() => window.walk.end())), ...(await nameless(page))];
}

/** What is moving although the visitor asked for no motion. */
export const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((each) => each.playState === 'running')
      .map((each) => {
        const target = (each.effect as KeyframeEffect | null)?.target;
        return `moves although motion is not wanted: ${target?.outerHTML.slice(0, 80) ?? each.id}`;
      }),
  );

type Walk = {
  /** @returns how many stops there should be */
  begin: () => number;
  /** Looks at where the focus is now. @returns whether all has been seen */
  arrive: () => boolean;
  end: () => string[];
};
declare global {
  interface Window {
    walk: Walk;
  }
}

/** Runs in the page. */
function installWalk(): void {
  const TABBABLE =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true], [tabindex]';
  const nameOf = (element: Element) =>
    element.outerHTML.replace(/\s(class|style|d)="[^"]*"/g, '').slice(0, 110);

  /** Everything that Tab should come to: in the dialog when one is open. */
  const expected = (): Element[] => {
    const dialogs = [...document.querySelectorAll('[role=dialog], dialog[open]')];
    const root = dialogs.at(-1) ?? document.body;
    const groups = new Set<string>();
    return [...root.querySelectorAll<HTMLElement>(TABBABLE)].filter((element) => {
      if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) return false;
      if (!element.checkVisibility({ visibilityProperty: true })) return false;
      // One stop per group of radio buttons: the arrows do the rest.
      if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
      const first = !groups.has(element.name);
      groups.add(element.name);
      return first;
    });
  };
  /** How a thing and what stands around it is painted: its mark may be on its frame, or on what is under it. */
  const painted = (element: Element): string => {
    const around = [element];
    for (let up = element.parentElement; up && around.length < 4; up = up.parentElement) around.push(up);
    around.push(...[...(element.parentElement?.querySelectorAll('*') ?? [])].slice(0, 40));
    return around
      .map((each) => {
        const { outline, boxShadow, borderColor, backgroundColor, top, color } = getComputedStyle(each);
        return [outline, boxShadow, borderColor, backgroundColor, top, color].join();
      })
      .join(';');
  };
  /** Whether something that sticks to the window's edge lies over all of it. */
  const covered = (element: Element): boolean => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 3, top + 3],
      [right - 3, bottom - 3],
    ] as const;
    return points.every(([x, y]) => {
      const hit = document.elementFromPoint(x, y);
      if (!hit || element.contains(hit) || hit.contains(element)) return false;
      return !(hit.closest('label')?.control === element || hit.parentElement?.contains(element));
    });
  };

  let all: Element[] = [];
  let last: { element: Element; look: string } | null = null;
  const seen = new Set<Element>();
  const faults: string[] = [];
  const leave = () => {
    if (last && painted(last.element) === last.look)
      faults.push(`not seen to be focused: ${nameOf(last.element)}`);
    last = null;
  };
  window.walk = {
    begin: () => {
      (document.activeElement as HTMLElement | null)?.blur();
      all = expected();
      return all.length;
    },
    arrive: () => {
      const here = document.activeElement;
      if (here && here === last?.element) return false;
      leave();
      if (!here || here === document.body) return false;
      if (seen.has(here)) return all.every((each) => seen.has(each));
      seen.add(here);
      if (covered(here)) faults.push(`covered while it is focused: ${nameOf(here)}`);
      last = { element: here, look: painted(here) };
      return false;
    },
    end: () => {
      (document.activeElement as HTMLElement | null)?.blur();
      leave();
      // What has gone meanwhile, or has become another stop of its radio group, need not be come to.
      const now = new Set(expected());
      const isSeen = (each: Element) =>
        seen.has(each) ||
        (each instanceof HTMLInputElement &&
          each.type === 'radio' &&
          [...seen].some((other) => other instanceof HTMLInputElement && other.name === each.name));
      const missed = all.filter((each) => now.has(each) && !isSeen(each));
      return [...faults, ...missed.map((each) => `Tab does not come to ${nameOf(each)}`)];
    },
  };
}

/** Roles of things that one can do something with. */
const ROLES = new Set(
  'button link textbox combobox checkbox radio switch tab menuitem searchbox spinbutton slider option'.split(
    ' ',
  ),
);

/** Things that can be focused and have no name for a screen reader. */
async function nameless(page: Page): Promise<string[]> {
  const client = await page.createCDPSession();
  try {
    const { nodes } = await client.send('Accessibility.getFullAXTree');
    return nodes
      .filter(({ ignored, role, name, properties = [] }) => {
        const canFocus = properties.some((each) => each.name === 'focusable' && each.value.value === true);
        return !ignored && canFocus && ROLES.has(String(role?.value)) && !String(name?.value ?? '').trim();
      })
      .map(({ role, nodeId }) => `a ${String(role?.value)} without a name (node ${nodeId})`);
  } finally {
    await client.detach();
  }
}
