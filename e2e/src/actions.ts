/** Counts what a person does on a screen: a tap, a field, a stroke or a pick is one action, choosing a file is two. */
import type { Screen } from './browser/screen.ts';

const COSTS = { press: 1, pressInCheckout: 1, fill: 1, choose: 1, sign: 1, upload: 2 } as const;

/** The same screen, counted from now on. */
export function countActions(screen: Screen): { screen: Screen; actions: () => number } {
  let count = 0;
  const counted =
    <A extends unknown[]>(name: keyof typeof COSTS, act: (...args: A) => Promise<void>) =>
    (...args: A): Promise<void> => {
      count += COSTS[name];
      return act(...args);
    };
  return {
    screen: {
      ...screen,
      press: counted('press', screen.press),
      pressInCheckout: counted('pressInCheckout', screen.pressInCheckout),
      fill: counted('fill', screen.fill),
      choose: counted('choose', screen.choose),
      sign: counted('sign', screen.sign),
      upload: counted('upload', screen.upload),
    },
    actions: () => count,
  };
}
