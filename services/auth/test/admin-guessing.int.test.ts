/** Guessing an admin's password and codes: locks the attacker out, not the admin. */
import { jest } from '@jest/globals';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { inTransaction } from '@karaar/db';
import { refused } from '@karaar/testing/refused';
import {
  beginAttempt,
  forgetAttempts,
  pruneAttempts,
} from '../src/features/admins/sign-in/attempts.repository.ts';
import { startApi, type Answer, type Api } from './api.ts';

jest.setTimeout(60_000);

const right = { username: 'admin', password: 'karaar-admin' };
const OFFICE = '203.0.113.10';
let api: Api;
let secret: string;
/** Seconds by which codes are ahead of the clock: each code works once. */
let ahead = 0;

beforeAll(async () => {
  api = await startApi('auth-guessing', { SEED_DEMO: 'true' });
  const headers = { authorization: `Bearer ${String((await login(right, OFFICE)).body['token'])}` };
  const enrolled = await api.json('POST', '/admin/totp/enroll', { password: right.password }, headers);
  secret = String(enrolled.body['secret']);
  const confirmed = { code: await generate({ secret }) };
  expect((await api.json('POST', '/admin/totp/confirm', confirmed, headers)).status).toBe(200);
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  await api.forgetLimits();
  await db().deleteFrom('admin_places').execute();
  await db().updateTable('admins').set({ totp_last_step: 0 }).execute();
  ahead = 0;
});

const db = () => api.service.foundation.db;
function login(body: object, from: string): Promise<Answer> {
  return api.json('POST', '/admin/login', body, { 'x-forwarded-for': from });
}
/** Returns a new right code each time; the clock may be one step off. */
const code = async () => {
  ahead += 30;
  return generate({ secret, epoch: Math.floor(Date.now() / 1_000) - 60 + ahead });
};
const wrong = { ...right, totp: 'WRONG-00000' };
const codesOf = (answers: Answer[]) => answers.map(({ status, body }) => `${status} ${String(body['code'])}`);

it('does not reset the count of wrong codes after a right password without a code', async () => {
  const seen = [];
  for (let i = 0; i < 6; i += 1) {
    seen.push(await login(wrong, '198.51.100.1'));
    await login(right, '198.51.100.1');
  }
  expect(codesOf(seen).slice(0, 4)).toEqual(Array(4).fill('401 totp_wrong'));
  expect(codesOf(seen)[4]).toBe('429 too_many_requests');
  // Even a right code is refused now.
  expect((await login({ ...right, totp: await code() }, '198.51.100.1')).status).toBe(429);
});

it('counts codes from all addresses together, also simultaneous ones', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => login(wrong, `198.51.100.${at + 1}`)),
  );
  expect(codesOf(answers).filter((answer) => answer === '401 totp_wrong')).toHaveLength(4);
  expect(codesOf(answers).filter((answer) => answer === '429 too_many_requests')).toHaveLength(16);
});

it('does not lock the admin out at a known address while a thief of the password guesses codes', async () => {
  expect((await login({ ...right, totp: await code() }, OFFICE)).status).toBe(200);
  for (let i = 0; i < 5; i += 1) await login(wrong, '198.51.100.1');
  expect((await login({ ...right, totp: await code() }, '198.51.100.2')).status).toBe(429);
  expect((await login({ ...right, totp: await code() }, OFFICE)).status).toBe(200);
  // The admin's own sign-in does not give the thief new tries.
  expect((await login(wrong, '198.51.100.3')).status).toBe(429);
});

it("locks only the attacker's own address after wrong passwords", async () => {
  for (const username of ['admin', 'nobody']) {
    const guesses = Array.from({ length: 8 }, () => login({ username, password: 'x' }, '198.51.100.1'));
    await Promise.all(guesses);
    expect((await login({ username, password: right.password }, '198.51.100.1')).status).toBe(429);
  }
  // From an unknown address too.
  expect(codesOf([await login(right, '192.0.2.7')])).toEqual(['401 totp_required']);
  expect((await login({ ...right, totp: await code() }, '192.0.2.7')).status).toBe(200);
});

it('[ADMIN-033] locks a name at an address for twice as long after each failure, up to 15 minutes, also for the right password', async () => {
  const from = '198.51.100.9';
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  const fail = async () => {
    await sql`UPDATE admin_attempts SET locked_until = now() - interval '1 second'`.execute(db());
    refused(await login({ ...right, password: 'x' }, from), 401);
  };
  for (let failure = 1; failure < 8; failure += 1) await fail();
  for (const seconds of [16, 32, 64, 128, 256, 512, 900, 900]) {
    await fail();
    const locked = await fetch(`${api.url}/admin/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify(right),
    });
    refused({ seconds, status: locked.status, body: await locked.json() }, 429);
    const wait = Number(locked.headers.get('retry-after'));
    // Allows ten seconds for a busy machine.
    expect({ seconds, wait, kept: wait > seconds - 10 && wait <= seconds }).toEqual({
      seconds,
      wait,
      kept: true,
    });
  }
});

it('counts the addresses of one IPv6 customer as one', async () => {
  const guesses = Array.from({ length: 8 }, (_, at) =>
    login({ ...right, password: 'x' }, `2401:4900:1:2::${at + 1}`),
  );
  await Promise.all(guesses);
  expect((await login(right, '2401:4900:1:2:ffff::9')).status).toBe(429);
});

it('remembers many guesses for three months, a few for a day', async () => {
  const count = async () => {
    const rows = await db().selectFrom('admin_attempts').select('failures').execute();
    return rows.map(({ failures }) => failures).sort((a, b) => a - b);
  };
  for (let i = 0; i < 4; i += 1) await login(wrong, '198.51.100.1');
  await login({ ...right, password: 'x' }, '198.51.100.2');
  expect(await count()).toEqual([0, 1, 4]);
  const age = (days: number) => sql`
    UPDATE admin_attempts SET locked_until = now() - interval '1 second', updated_at = now() - make_interval(days => ${days})`;
  await sql`UPDATE admin_attempts SET failures = 12 WHERE failures = 4`.execute(db());
  await age(2).execute(db());
  await pruneAttempts(db());
  expect(await count()).toEqual([12]);
  await age(91).execute(db());
  await pruneAttempts(db());
  expect(await count()).toEqual([]);
});

it('counts attempts while successful sign-ins delete earlier ones', async () => {
  const key = 'f'.repeat(64);
  const count = () => inTransaction(db(), (tx) => beginAttempt(tx, key, () => 0));
  const rounds = Array.from({ length: 200 }, (_, at) =>
    at % 2 === 0 ? count() : forgetAttempts(db(), [key]),
  );
  await expect(Promise.all(rounds)).resolves.toHaveLength(200);
});
