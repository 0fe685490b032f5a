import { jest } from '@jest/globals';
import { withNetwork } from './with-network.ts';

const page = Object.assign(new EventTarget(), { onLine: true });
const reportError = jest.fn();

beforeAll(() => {
  for (const [name, value] of Object.entries({ window: page, navigator: page, reportError }))
    Object.defineProperty(globalThis, name, { value, configurable: true });
});
beforeEach(() => {
  jest.useFakeTimers();
  reportError.mockClear();
  page.onLine = true;
});
afterEach(() => jest.useRealTimers());

it('repeats work that failed without a network when the network is back, even if the browser reports the loss late', async () => {
  let reachable = false;
  const work = jest.fn(() => (reachable ? Promise.resolve() : Promise.reject(new Error('no network'))));
  withNetwork(work);
  await jest.advanceTimersByTimeAsync(10);
  page.onLine = false;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(1);
  reachable = page.onLine = true;
  page.dispatchEvent(new Event('online'));
  page.dispatchEvent(new Event('online'));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(reportError).not.toHaveBeenCalled();
});

it('reports work that fails twice with a network', async () => {
  const fault = new Error('a fault of ours');
  const work = jest.fn(() => Promise.reject(fault));
  withNetwork(work);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(reportError).toHaveBeenCalledTimes(1);
  expect(reportError).toHaveBeenCalledWith(fault);
});
