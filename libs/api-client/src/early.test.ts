import { jest } from '@jest/globals';
import { authRoutes } from '@karaar/contracts/auth/http';
import { call } from './call.ts';
import { askEarly, takeEarly } from './early.ts';

const PROFILE = '/api/users/profile';
const store = new Map<string, string>();
const storage = {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, value: string) => void store.set(key, value),
  removeItem: (key: string) => void store.delete(key),
};

/** Answers each request with its number. */
function counting(status = 200) {
  let asked = 0;
  return jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(JSON.stringify({ asked: ++asked }), { status }));
}

beforeAll(() => Object.assign(globalThis, { localStorage: storage, window: new EventTarget() }));
beforeEach(() => {
  store.clear();
  store.set('token', 't1');
});
afterEach(() => jest.useRealTimers());

describe('an early request', () => {
  it('answers the first call of the same request, and only that one', async () => {
    const fetched = counting();
    askEarly([PROFILE], 't1');
    await expect(call(authRoutes.profile)).resolves.toEqual({ asked: 1 });
    expect(fetched).toHaveBeenCalledTimes(1);
    await expect(call(authRoutes.profile)).resolves.toEqual({ asked: 2 });
  });

  it('is sent as the call would send it', async () => {
    const fetched = counting();
    askEarly([PROFILE], 't1');
    await call(authRoutes.profile);
    await call(authRoutes.profile);
    const [early, late] = fetched.mock.calls.map(([url, init]) => ({ url, headers: init?.headers }));
    expect(early).toEqual(late);
  });

  it('is not used for another user, or later', async () => {
    counting();
    askEarly([PROFILE], 't0');
    await expect(call(authRoutes.profile)).resolves.toEqual({ asked: 2 });
    jest.useFakeTimers({ now: 0, doNotFake: ['setTimeout', 'queueMicrotask', 'nextTick'] });
    askEarly([PROFILE], 't1');
    jest.setSystemTime(15_001);
    await expect(call(authRoutes.profile)).resolves.toEqual({ asked: 4 });
  });

  it('ends the session if it was refused', async () => {
    counting(401);
    askEarly([PROFILE], 't1');
    await expect(call(authRoutes.profile)).rejects.toMatchObject({ status: 401 });
    expect(store.has('token')).toBe(false);
  });

  it('without a response is ignored, and the next call sends a new one', async () => {
    const fetched = jest.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed'));
    askEarly([PROFILE], 't1');
    await expect(call(authRoutes.profile)).rejects.toMatchObject({ name: 'ApiError', status: 0 });
    fetched.mockImplementation(async () => new Response('{}'));
    await expect(call(authRoutes.profile)).resolves.toEqual({});
  });

  it('is not awaited by an aborted call', async () => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined));
    askEarly([PROFILE], 't1');
    const off = new AbortController();
    const headers = { authorization: 'Bearer t1' };
    const taken = takeEarly({ method: 'GET', url: PROFILE, headers }, off.signal);
    off.abort();
    await expect(taken).rejects.toMatchObject({ name: 'AbortError' });
  });
});
