/** Limits how long a change of the page may wait for the browser's snapshot. */
import { jest } from '@jest/globals';
import { withTransition } from './transition.ts';

type Update = () => void;

/** Returns a page whose view transitions start and never continue by themselves. */
function stubPage(): { updates: Update[]; skipped: () => number } {
  const updates: Update[] = [];
  let skips = 0;
  const never = new Promise<never>(() => undefined);
  const document = {
    visibilityState: 'visible',
    documentElement: { dataset: {} },
    startViewTransition: (update: Update) => {
      updates.push(update);
      return { ready: never, finished: never, skipTransition: () => (skips += 1) };
    },
  };
  Object.assign(globalThis, { document, matchMedia: () => ({ matches: false }) });
  return { updates, skipped: () => skips };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  for (const name of ['document', 'matchMedia']) Reflect.deleteProperty(globalThis, name);
});

it('changes the page without a transition if the browser draws no frame for it', () => {
  const { updates, skipped } = stubPage();
  const change = jest.fn();
  withTransition(change);
  expect(change).not.toHaveBeenCalled();
  jest.advanceTimersByTime(300);
  expect(change).toHaveBeenCalledTimes(1);
  expect(skipped()).toBe(1);
  // The browser calls the update late.
  updates[0]?.();
  expect(change).toHaveBeenCalledTimes(1);
});

it('changes it once, and lets the transition continue, if the frame comes in time', () => {
  const { updates, skipped } = stubPage();
  const change = jest.fn();
  withTransition(change);
  updates[0]?.();
  jest.advanceTimersByTime(10_000);
  expect(change).toHaveBeenCalledTimes(1);
  expect(skipped()).toBe(0);
});
