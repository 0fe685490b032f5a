/** How long a change of the page may wait for the browser: at most the moment in which a picture of it is made. */
import { jest } from '@jest/globals';
import { withTransition } from './transition.ts';

type Update = () => void;

/** A page whose view transitions are begun and never go on by themselves. */
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

it('changes the page without a transition when the browser draws no frame for it', () => {
  const { updates, skipped } = stubPage();
  const change = jest.fn();
  withTransition(change);
  expect(change).not.toHaveBeenCalled();
  jest.advanceTimersByTime(300);
  expect(change).toHaveBeenCalledTimes(1);
  expect(skipped()).toBe(1);
  // The browser comes round to it after all.
  updates[0]?.();
  expect(change).toHaveBeenCalledTimes(1);
});

it('changes it once, and lets the transition go on, when the frame comes in time', () => {
  const { updates, skipped } = stubPage();
  const change = jest.fn();
  withTransition(change);
  updates[0]?.();
  jest.advanceTimersByTime(10_000);
  expect(change).toHaveBeenCalledTimes(1);
  expect(skipped()).toBe(0);
});
