/** Short messages at the edge of a page, and the timers that take them away: held, so that no test waits or measures. */
import { until } from '@karaar/testing/until';
import type { Page } from 'puppeteer-core';

type Held = Map<number, { ms: number; run: () => void }>;

/** Runs in the page before the app: what should happen after exactly so many milliseconds waits for {@link letGo}. */
export function holdTimers(lengths: number[]): void {
  const held: Held = new Map();
  const [set, clear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
  let last = 1e9;
  const later = (handler: TimerHandler, ms = 0, ...rest: unknown[]): number => {
    if (!lengths.includes(ms) || typeof handler !== 'function') return set(handler, ms, ...rest);
    held.set((last += 1), { ms, run: () => void Reflect.apply(handler, window, rest) });
    return last;
  };
  const forget = (id?: number): void => {
    if (id === undefined || !held.delete(id)) clear(id);
  };
  Object.assign(window, { setTimeout: later, clearTimeout: forget, heldTimers: held });
}

/** Lets pass so many milliseconds for all that waits exactly so long. @returns how many waited */
export const letGo = (page: Page, ms: number): Promise<number> =>
  page.evaluate((length: number) => {
    const held = Reflect.get(window, 'heldTimers') as Held;
    const due = [...held].filter(([, timer]) => timer.ms === length);
    for (const [id, timer] of due) {
      held.delete(id);
      timer.run();
    }
    return due.length;
  }, ms);

/** The toasts that are shown: messages with a button that takes them away. */
export const toastsOf = (page: Page): Promise<string[]> =>
  page.$$eval('[role=alert]', (all) =>
    all
      .filter((each) => each.querySelector('button[aria-label="Dismiss"]'))
      .map((each) => each.textContent?.trim() ?? ''),
  );

/** Waits until a toast says exactly this: one that only begins so is another one. */
export const toastIs = (page: Page, text: string): Promise<void> =>
  until(`a toast that says '${text}'`, async () => {
    const shown = await toastsOf(page);
    if (!shown.includes(text)) throw new Error(`shown are: ${shown.join(' | ') || 'none'}`);
    return true;
  });
