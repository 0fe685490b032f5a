import { jest } from '@jest/globals';
import { authRoutes } from '@karaar/contracts/auth/http';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { call } from './call.ts';
import { SESSION_ENDED } from './session-storage.ts';

const store = new Map<string, string>();
const storage = {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, value: string) => void store.set(key, value),
  removeItem: (key: string) => void store.delete(key),
};
const page = new EventTarget();
const ended = jest.fn();

beforeAll(() => {
  Object.assign(globalThis, { localStorage: storage, window: page });
  page.addEventListener(SESSION_ENDED, ended);
});

beforeEach(() => {
  ended.mockClear();
  store.clear();
  store.set('token', 't1').set('user', '{}').set('admin_token', 'a1');
});

const answer = (status: number, body: unknown) =>
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(JSON.stringify(body), { status }));

describe('call', () => {
  it('returns the parsed response', async () => {
    const fetched = answer(200, { user_id: 'u1' });
    await expect(call(authRoutes.profile)).resolves.toEqual({ user_id: 'u1' });
    expect(fetched.mock.calls[0]?.[1]?.headers).toMatchObject({ authorization: 'Bearer t1' });
  });

  it('[AUTH-041] a 401 on a user call clears token and user and ends the session, the admin token stays', async () => {
    answer(401, { detail: 'Your session has ended' });
    await expect(call(authRoutes.profile)).rejects.toMatchObject({ status: 401 });
    expect([...store.keys()]).toEqual(['admin_token']);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('a 401 on a public call (a wrong code) ends nothing', async () => {
    answer(401, { detail: 'Wrong code' });
    await expect(call(authRoutes.login, { body: { phone_no: '1', otp: '2' } })).rejects.toMatchObject({
      body: { detail: 'Wrong code' },
    });
    expect(store.get('token')).toBe('t1');
    expect(ended).not.toHaveBeenCalled();
  });

  it('a late 401 of an earlier session does not end a newer session', async () => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      store.set('token', 't2');
      return new Response('{}', { status: 401 });
    });
    await expect(call(authRoutes.profile)).rejects.toMatchObject({ status: 401 });
    expect(store.get('token')).toBe('t2');
    expect(ended).not.toHaveBeenCalled();
  });

  it('reports the retry delay, if the server sends one', async () => {
    const busy = (headers: Record<string, string>) =>
      jest
        .spyOn(globalThis, 'fetch')
        .mockImplementation(async () => new Response('{}', { status: 503, headers }));
    busy({ 'retry-after': '3' });
    await expect(call(authRoutes.profile)).rejects.toMatchObject({ status: 503, retryAfterS: 3 });
    busy({});
    await expect(call(authRoutes.profile)).rejects.toMatchObject({ status: 503, retryAfterS: undefined });
  });

  it('has status 0 without a response', async () => {
    jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    await expect(call(documentsRoutes.myDocuments)).rejects.toMatchObject({ name: 'ApiError', status: 0 });
  });

  it('returns a binary response as a Blob', async () => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('%PDF', { status: 200 }));
    const pdf = await call(documentsRoutes.finalPdf, { params: { id: 'd1' } });
    await expect(pdf.text()).resolves.toBe('%PDF');
  });

  it('waits for a long file while it arrives, but not for a stalled one', async () => {
    const slow = { ...documentsRoutes.finalPdf, timeoutMs: -1_500 };
    const fileOf = (pauses: number[]) =>
      jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
        const stopped = new Promise<never>((_resolve, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
        );
        const left = [...pauses];
        const body = new ReadableStream<Uint8Array>({
          pull: async (out) => {
            const pause = left.shift();
            if (pause === undefined) return out.close();
            await Promise.race([new Promise((resolve) => setTimeout(resolve, pause)), stopped]);
            out.enqueue(new TextEncoder().encode('x'));
          },
        });
        return new Response(body, { status: 200 });
      });
    // Each wait lasts half a second.
    fileOf([300, 300, 300]);
    const long = await call(slow, { params: { id: 'd1' } });
    await expect(long.text()).resolves.toBe('xxx');
    fileOf([100, 900]);
    await expect(call(slow, { params: { id: 'd1' } })).rejects.toMatchObject({ name: 'ApiError', status: 0 });
  });
});
