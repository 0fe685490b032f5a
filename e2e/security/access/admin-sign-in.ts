/** Attacks the sign-in of an admin whose password is known: with codes, and with a passkey. */
import { Authenticator } from '@karaar/testing/people/authenticator';
import { generate } from 'otplib';
import { ADMIN_PASSWORD, makeAdmin } from '../../src/database.ts';
import { callerOf, type Answer, type Person } from '../../src/person.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

/** Gives a signed-in admin an authenticator app. Returns a function that makes its next code. */
async function addTotp(admin: Pick<Person, 'call'>): Promise<() => Promise<string>> {
  const { body } = await admin.call('POST', '/admin/totp/enroll', { password: ADMIN_PASSWORD });
  const secret = String(body['secret']);
  await admin.call('POST', '/admin/totp/confirm', { code: await generate({ secret }) });
  // Each code works once: the next one is of the next 30 s.
  return () => generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 });
}

const GUESSES = 8;

async function tryAdminSignIn({ url, inside }: Target): Promise<Finding[]> {
  const where = 'admin/login';
  const right = { username: await makeAdmin(inside.postgresUrl, 'support'), password: ADMIN_PASSWORD };
  /** Past the gateway, which sets the address of the caller itself. */
  const login = async (body: object, from: string): Promise<{ status: number; token?: string }> => {
    const answer = await fetch(`${inside.services['auth']}/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    });
    return { status: answer.status, ...((await answer.json()) as { token?: string }) };
  };
  const found: Finding[] = [];

  const office = '203.0.113.10';
  const nextCode = await addTotp(callerOf(url, (await login(right, office)).token));
  let compared = 0;
  for (let i = 0; i < GUESSES; i += 1) {
    const { status } = await login({ ...right, totp: 'WRONG-00000' }, `198.51.100.${10 + i}`);
    if (status === 401) compared += 1;
    // The right password alone must not reset the count.
    await login(right, `198.51.100.${10 + i}`);
  }
  if (compared === GUESSES) found.push({ where, what: `${compared} wrong codes in a row were compared` });
  if ((await login({ ...right, totp: await nextCode() }, office)).status !== 200)
    found.push({ where, what: 'guessed codes lock the admin out at a known address' });

  for (let i = 0; i < GUESSES; i += 1) await login({ ...right, password: 'x' }, '198.51.100.1');
  if ((await login(right, '192.0.2.20')).status === 429)
    found.push({ where, what: 'wrong passwords from another address lock the admin out' });
  return found;
}

export const adminSignIn: ProductCheck = {
  name: 'admin-sign-in',
  holds: 'the codes of an admin cannot be guessed, and wrong guesses do not lock the admin out',
  run: tryAdminSignIn,
};

const challengeOf = (options: unknown): string =>
  (options as { challenge?: string } | undefined)?.challenge ?? '';

async function tryPasskeys({ url, inside }: Target): Promise<Finding[]> {
  const post = (path: string, body: object) => callerOf(url).once('POST', path, body);
  const who = { username: await makeAdmin(inside.postgresUrl, 'support'), password: ADMIN_PASSWORD };
  const admin = callerOf(url, String((await post('/admin/login', who)).body['token']));
  const nextCode = await addTotp(admin);

  const page = { origin: new URL(url).origin, rpId: new URL(url).hostname };
  const device = new Authenticator(page);
  const { body: begun } = await admin.call('POST', '/admin/passkeys/begin', { password: ADMIN_PASSWORD });
  const added = device.make(challengeOf(begun['add']));
  await admin.call('POST', '/admin/passkeys', { ceremony_id: begun['ceremony_id'], added, name: 'Laptop' });

  const found: Finding[] = [];
  const mustNotSignIn = (where: string, what: string, { body }: Answer) => {
    if (typeof body['token'] === 'string') found.push({ where, what });
  };
  const login = 'admin/login';
  mustNotSignIn(login, 'the password alone signs in', await post('/admin/login', who));
  const withCode = { ...who, totp: await nextCode() };
  mustNotSignIn(login, 'a code of the app signs in', await post('/admin/login', withCode));

  const stranger = new Authenticator(page);
  const id = device.id.toString('base64url');
  const answers = {
    'a page of another site': (challenge: string) =>
      device.sign(challenge, { page: { origin: 'https://karaar.invalid' } }),
    'a device that has not verified its user': (challenge: string) =>
      device.sign(challenge, { verified: false }),
    'a key that was never added': (challenge: string) => ({ ...stranger.sign(challenge), id, rawId: id }),
    'another challenge': () => device.sign(Buffer.alloc(32).toString('base64url')),
  };
  const finish = '/admin/login/passkey/finish';
  const answerTo = async (sign: (challenge: string) => object) => {
    const { body } = await post('/admin/login/passkey', who);
    return { ceremony_id: body['ceremony_id'], used: sign(challengeOf(body['use'])) };
  };
  for (const [what, sign] of Object.entries(answers))
    mustNotSignIn(finish, `${what} signs in`, await post(finish, await answerTo(sign)));
  const right = await answerTo((challenge) => device.sign(challenge));
  if ((await post(finish, right)).status !== 200)
    found.push({ where: finish, what: 'the passkey itself does not sign in' });
  mustNotSignIn(finish, 'a replayed answer signs in', await post(finish, right));
  return found;
}

export const passkeys: ProductCheck = {
  name: 'passkeys',
  holds: 'an admin who has a passkey signs in only with it',
  run: tryPasskeys,
};
