import { jest } from '@jest/globals';
import { createLiveClient } from './live.ts';

const options = { token: () => null, onRefused: () => undefined };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A library whose load fails `times` times, with a counter of loads. */
function library(times: number) {
  const io = jest.fn(() => ({ on: () => undefined, onAny: () => undefined, disconnect: () => undefined }));
  const load = jest.fn(async () => {
    if (load.mock.calls.length <= times) throw new Error('Loading chunk failed');
    return { io: io as never }; // the parts of a socket that opening one uses
  });
  return { io, load };
}

it('loads its library later if the page opened without a network', async () => {
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

it('stops loading it when it is closed', async () => {
  const { io, load } = library(Infinity);
  const close = createLiveClient(load).open(options);
  await jest.advanceTimersByTimeAsync(0);
  close();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(1);
  expect(io).not.toHaveBeenCalled();
});

describe('a move to another server', () => {
  /** Sockets that the test brings up and down. */
  function sockets() {
    const made: FakeSocket[] = [];
    const io = () => {
      const socket = fakeSocket();
      made.push(socket);
      return socket as never; // the parts of a socket that a client uses
    };
    return { made, load: async () => ({ io }) };
  }
  type FakeSocket = ReturnType<typeof fakeSocket>;
  function fakeSocket() {
    const listeners = new Map<string, (value: unknown) => void>();
    let any: (event: string, data: unknown) => void = () => undefined;
    const socket = {
      connected: false,
      on: (event: string, listener: (value: unknown) => void) => void listeners.set(event, listener),
      onAny: (listener: typeof any) => void (any = listener),
      connect: jest.fn(),
      disconnect: jest.fn(() => (socket.connected = false)),
      come: () => {
        socket.connected = true;
        listeners.get('connect')?.(undefined);
      },
      go: (reason: string) => {
        socket.connected = false;
        listeners.get('disconnect')?.(reason);
      },
      receive: (event: string, data: unknown) => any(event, data),
    };
    return socket;
  }
  async function opened() {
    const { made, load } = sockets();
    const live = createLiveClient(load);
    const changes = jest.fn();
    live.onState(changes);
    const close = live.open(options);
    await jest.advanceTimersByTimeAsync(0);
    made[0]?.come();
    return { made, live, changes, close };
  }

  it('finishes within its time, without an interruption', async () => {
    const { made, live, changes } = await opened();
    const got: unknown[] = [];
    live.on('unread', ({ unread_count }) => got.push(unread_count));
    changes.mockClear();
    made[0]?.receive('server.leaving', { within_ms: 2_000 });
    await jest.advanceTimersByTimeAsync(2_000);
    expect(made).toHaveLength(2);
    made[0]?.receive('unread', { unread_count: 1 });
    expect(live.isUp()).toBe(true);
    made[1]?.come();
    made[1]?.receive('unread', { unread_count: 2 });
    made[0]?.receive('unread', { unread_count: 3 });
    expect([live.isUp(), got]).toEqual([true, [1, 2, 3]]);
    expect(made[0]?.disconnect).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1_000);
    // Only then is missed data requested.
    expect(made[0]?.disconnect).toHaveBeenCalledTimes(1);
    expect([live.isUp(), changes.mock.calls.length]).toEqual([true, 1]);
  });

  it('is spread over all clients', async () => {
    const moments = new Set<number>();
    for (let page = 0; page < 20; page += 1) {
      const { made } = await opened();
      made[0]?.receive('server.leaving', { within_ms: 10_000 });
      let ms = 0;
      for (; made.length === 1 && ms < 10_000; ms += 100) await jest.advanceTimersByTimeAsync(100);
      moments.add(ms);
    }
    expect(moments.size).toBeGreaterThan(10);
  });

  it('requests missed data if the old socket ended first', async () => {
    const { made, live, changes } = await opened();
    made[0]?.receive('server.leaving', { within_ms: 1_000 });
    await jest.advanceTimersByTimeAsync(1_000);
    made[0]?.go('io server disconnect');
    changes.mockClear();
    expect(live.isUp()).toBe(false);
    made[1]?.come();
    expect(live.isUp()).toBe(true);
    expect(changes).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(made[0]?.connect).not.toHaveBeenCalled();
  });

  it('stops once the page has closed', async () => {
    const { made, close } = await opened();
    made[0]?.receive('server.leaving', { within_ms: 1_000 });
    close();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(made).toHaveLength(1);
  });
});
