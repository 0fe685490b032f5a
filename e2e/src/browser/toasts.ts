/** Toasts, and the timers that remove them, which a test holds so that it need not wait. */
import { until } from '@karaar/testing/until';
import type { Page } from 'puppeteer-core';

type Held = Map<number, { ms: number; run: () => void }>;

/** Runs in the page before the app: timers of these lengths wait for {@link letGo}. */
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

/** Runs the held timers of this length. @returns their number */
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

/** Returns the texts of the visible toasts, which are the alerts with a Dismiss button. */
export const toastsOf = (page: Page): Promise<string[]> =>
  page.$$eval('[role=alert]', (all) =>
    all
      .filter((each) => each.querySelector('button[aria-label="Dismiss"]'))
      .map((each) => each.textContent?.trim() ?? ''),
  );

/** Waits until a toast has exactly this text. */
export const toastIs = (page: Page, text: string): Promise<void> =>
  until(`a toast '${text}'`, async () => {
    const shown = await toastsOf(page);
    if (!shown.includes(text)) throw new Error(`the toasts are: ${shown.join(' | ')}`);
    return true;
  });
