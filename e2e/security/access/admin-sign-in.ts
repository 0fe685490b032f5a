/** Guessing an admin's second factor with the password in hand, and keeping a named admin out. */
import { generate } from 'otplib';
import { ADMIN_PASSWORD, makeAdmin } from '../../src/database.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** More codes than anybody mistypes. */
const GUESSES = 8;

type Login = (body: object, from: string) => Promise<{ status: number; token?: string }>;

/** Past the gateway, which would say which address asks: here every guess comes from another one. */
const loginAt =
  (auth: string): Login =>
  async (body, from) => {
    const answer = await fetch(`${auth}/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    });
    return { status: answer.status, ...((await answer.json()) as { token?: string }) };
  };

async function enroll(auth: string, token: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${auth}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { secret?: string };
  };
  const { secret = '' } = await post('/admin/totp/enroll', { password: ADMIN_PASSWORD });
  await post('/admin/totp/confirm', { code: await generate({ secret }) });
  return secret;
}

async function tryAdminSignIn({ inside }: Target): Promise<Finding[]> {
  const auth = inside.services['auth'];
  if (auth === undefined) throw new Error('no auth service');
  const login = loginAt(auth);
  const right = { username: await makeAdmin(inside.postgresUrl, 'support'), password: ADMIN_PASSWORD };
  const found: Finding[] = [];

  const office = '203.0.113.10';
  const { token = '' } = await login(right, office);
  const secret = await enroll(auth, token);
  let looked = 0;
  for (let i = 0; i < GUESSES; i += 1) {
    const { status } = await login({ ...right, totp: 'WRONG-00000' }, `198.51.100.${10 + i}`);
    if (status === 401) looked += 1;
    // A right password alone, which must forget nothing that was counted.
    await login(right, `198.51.100.${10 + i}`);
  }
  if (looked === GUESSES)
    found.push({ where: 'admin/login', what: `${looked} wrong codes in a row were looked at` });

  const code = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 });
  if ((await login({ ...right, totp: code }, office)).status !== 200)
    found.push({ where: 'admin/login', what: 'guessed codes lock the admin out at the own desk' });

  for (let i = 0; i < GUESSES; i += 1) await login({ ...right, password: 'x' }, '198.51.100.1');
  if ((await login(right, '192.0.2.20')).status === 429)
    found.push({ where: 'admin/login', what: 'a stranger who guesses passwords locks a named admin out' });
  return found;
}

export const adminSignIn: ProductCheck = {
  name: 'admin-sign-in',
  holds: 'codes of an admin cannot be guessed, and nobody can lock a named admin out',
  run: tryAdminSignIn,
};
