import { jest } from '@jest/globals';
import { withNetwork } from './with-network.ts';

const page = Object.assign(new EventTarget(), { onLine: false });
const reportError = jest.fn();
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeAll(() => {
  for (const [name, value] of Object.entries({ window: page, navigator: page, reportError }))
    Object.defineProperty(globalThis, name, { value, configurable: true });
});
beforeEach(() => reportError.mockClear());

it('does again what failed without a network, once there is one', async () => {
  const work = jest.fn(() => (page.onLine ? Promise.resolve() : Promise.reject(new Error('no network'))));
  withNetwork(work);
  await settled();
  expect(work).toHaveBeenCalledTimes(1);
  page.onLine = true;
  page.dispatchEvent(new Event('online'));
  page.dispatchEvent(new Event('online'));
  await settled();
  expect(work).toHaveBeenCalledTimes(2);
  expect(reportError).not.toHaveBeenCalled();
});

it('reports what fails with a network', async () => {
  const fault = new Error('a fault of ours');
  withNetwork(() => Promise.reject(fault));
  await settled();
  expect(reportError).toHaveBeenCalledWith(fault);
});
