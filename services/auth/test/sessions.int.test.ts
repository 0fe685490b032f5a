import { jest } from '@jest/globals';
import { authEvents } from '@karaar/contracts/auth/events';
import { listIn } from '@karaar/testing/list-in';
import { until } from '@karaar/testing/until';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { createSecretBox } from '../src/secret-box.ts';
import { createTokenKeys } from '../src/features/sessions/token-keys.ts';
import { secretsOf } from '../src/secrets.ts';
import { newPerson, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
const asha = newPerson();
const vikram = newPerson();

beforeAll(async () => {
  api = await startApi('auth-sessions');
  await api.register(asha, (form) => form.set('name', 'Asha Rao'));
  await api.register(vikram, (form) => form.set('name', 'Vikram Shah'));
}, 120_000);
afterAll(() => api.stop());
beforeEach(() => api.forgetLimits());

const db = () => api.service.foundation.db;
const get = (path: string, headers: Record<string, string>) => api.json('GET', path, undefined, headers);

/** The keys as another process (the command line) loads them. */
const otherProcess = () =>
  createTokenKeys(db(), createSecretBox(secretsOf({ AUTH_SECRET: api.authSecret }).signingKeyKey));

describe('sessions', () => {
  it('publish an event when opened on a new device, but not for the first session and known devices', async () => {
    const person = newPerson();
    await api.register(person);
    const openedEvents = async () => {
      const { rows } = await sql<{ data: unknown; aggregate_id: string }>`
        SELECT o.data, o.aggregate_id FROM outbox o JOIN users u ON u.id::text = o.data->>'user_id'
        WHERE o.type = ${authEvents.sessionOpened.type} AND u.phone_no = ${person.phone}`.execute(db());
      return rows;
    };
    const signInWith = async (agent: string) => {
      await api.forgetLimits();
      const body = { phone_no: person.phone, otp: await api.codeFor(person.phone) };
      const answer = await api.json('POST', '/auth/login', body, { 'user-agent': agent });
      expect(answer.status).toBe(200);
      return String(answer.body['user_id']);
    };
    const desktop = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
    const phone =
      'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
    const userId = await signInWith(desktop);
    await signInWith(desktop);
    expect(await openedEvents()).toEqual([]);
    await signInWith(phone);
    await signInWith(phone);
    const events = await openedEvents();
    expect(events.map(({ data }) => data)).toEqual([
      { user_id: userId, session_id: events[0]?.aggregate_id },
    ]);
    // A wrong code opens no session, on any device.
    await api.forgetLimits();
    await api.codeFor(person.phone);
    const wrong = { phone_no: person.phone, otp: '222222' };
    expect((await api.json('POST', '/auth/login', wrong, { 'user-agent': 'curl/8' })).status).toBe(400);
    expect(await openedEvents()).toHaveLength(1);
  });

  it('are listed with device and half an address, ended one by one or all at once, and hidden from other users', async () => {
    const first = await api.signIn(asha.phone);
    await sql`UPDATE otp_sends SET at = at - interval '31 seconds'`.execute(db());
    const phone =
      'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
    const login = await api.json(
      'POST',
      '/auth/login',
      { phone_no: asha.phone, otp: await api.codeFor(asha.phone) },
      { 'user-agent': phone },
    );
    const second = { authorization: `Bearer ${String(login.body['access_token'])}` };
    const list = listIn<Record<string, unknown>>((await get('/auth/sessions', second)).body);
    expect(list).toHaveLength(2);
    expect(list[0]).toMatchObject({ device: 'Chrome on Android', network: '127.0.x.x', is_current: true });
    expect(list[1]).toMatchObject({ is_current: false });

    const stranger = await api.signIn(vikram.phone);
    const theirs = await api.json(
      'DELETE',
      `/auth/sessions/${String(list[1]?.['_id'])}`,
      undefined,
      stranger.headers,
    );
    expect(theirs.status).toBe(404);
    expect((await get('/users/profile', first.headers)).status).toBe(200);

    const ended = await api.json('DELETE', `/auth/sessions/${String(list[1]?.['_id'])}`, undefined, second);
    expect(ended.status).toBe(200);
    await until('seen', async () => (await get('/users/profile', first.headers)).status === 401, 1_000);
    expect((await get('/users/profile', second)).status).toBe(200);

    expect((await api.json('DELETE', '/auth/sessions', undefined, second)).body).toMatchObject({ ended: 1 });
    await until('seen', async () => (await get('/users/profile', second)).status === 401, 1_000);
    expect((await get('/users/profile', stranger.headers)).status).toBe(200);
  });

  it('end everywhere except here with "sign out everywhere else"', async () => {
    const { headers } = await api.signIn(asha.phone);
    const answer = await api.json('DELETE', '/auth/sessions?except_current=true', undefined, headers);
    expect(answer.status).toBe(200);
    expect((await get('/users/profile', headers)).status).toBe(200);
  });
});

describe('signing keys', () => {
  it('rotate without ending a session, and end all sessions if one has leaked', async () => {
    const { headers, token } = await api.signIn(asha.phone);
    const keys = async () => (await get('/.well-known/jwks.json', {})).body as { keys: { kid: string }[] };
    const signedBy = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    const [old] = (await keys()).keys;
    const process = await otherProcess();
    // Twice, as an impatient operator might: no service may know the key between them yet.
    await process.rotate();
    const kid = await process.rotate();
    await until('all are published', async () => (await keys()).keys.length === 3, 3_000);
    // The new key signs only after every verifier can know it.
    await api.forgetLimits();
    expect(signedBy((await api.signIn(vikram.phone)).token)).toBe(old?.kid);
    await sql`UPDATE signing_keys SET created_at = created_at - interval '11 seconds'`.execute(db());
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await api.forgetLimits();
    const fresh = await api.signIn(vikram.phone);
    expect(signedBy(fresh.token)).toBe(kid);
    const all = createLocalJWKSet(await keys());
    for (const one of [token, fresh.token]) await jwtVerify(one, all, { issuer: 'karaar' });
    expect((await get('/users/profile', headers)).status).toBe(200);

    await process.rotate({ revokeOld: true });
    await until('one is left', async () => (await keys()).keys.length === 1, 3_000);
    const left = createLocalJWKSet(await keys());
    for (const one of [token, fresh.token]) await expect(jwtVerify(one, left)).rejects.toThrow();
    // The keys are encrypted, so the database alone cannot sign.
    const stored = await db().selectFrom('signing_keys').select('private_key').execute();
    for (const { private_key } of stored) expect(private_key.toString('latin1')).not.toContain('MC4CAQ');
  });
});
