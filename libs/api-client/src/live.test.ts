import { jest } from '@jest/globals';
import { createLiveClient } from './live.ts';

const options = { token: () => null, onRefused: () => undefined };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A library that cannot be had `times` times, and counts how often it was asked for. */
function library(times: number) {
  const io = jest.fn(() => ({ on: () => undefined, onAny: () => undefined, disconnect: () => undefined }));
  const load = jest.fn(async () => {
    if (load.mock.calls.length <= times) throw new Error('Loading chunk failed');
    return { io: io as never }; // As much of a socket as opening one touches.
  });
  return { io, load };
}

it('comes by its library later when the network was away as the page opened', async () => {
  const { io, load } = library(2);
  createLiveClient(load).open(options);
  await jest.advanceTimersByTimeAsync(999);
  expect(load).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);
  expect(io).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(io).toHaveBeenCalledTimes(1);
});

it('stops asking for it when it is closed', async () => {
  const { io, load } = library(Infinity);
  const close = createLiveClient(load).open(options);
  await jest.advanceTimersByTimeAsync(0);
  close();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(1);
  expect(io).not.toHaveBeenCalled();
});
