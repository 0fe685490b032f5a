/**
 * What a thief of an admin's password does where a passkey is asked for: other codes, other pages, other keys, earlier
 * answers.
 */
import { Authenticator } from '@karaar/testing/people/authenticator';
import { generate } from 'otplib';
import { ADMIN_PASSWORD, makeAdmin } from '../../src/database.ts';
import { callerOf, type Answer } from '../../src/person.ts';
import type { Finding, ProductCheck, Target } from '../check.ts';

type Asked = { challenge?: string };

async function tryPasskeys({ url, inside }: Target): Promise<Finding[]> {
  const post = (path: string, body: object, token?: string) => callerOf(url, token).once('POST', path, body);
  const who = { username: await makeAdmin(inside.postgresUrl, 'support'), password: ADMIN_PASSWORD };
  const token = String((await post('/admin/login', who)).body['token']);
  const enrolled = await post('/admin/totp/enroll', { password: ADMIN_PASSWORD }, token);
  const secret = String(enrolled.body['secret']);
  await post('/admin/totp/confirm', { code: await generate({ secret }) }, token);

  const page = { origin: new URL(url).origin, rpId: new URL(url).hostname };
  const device = new Authenticator(page);
  const adding = await post('/admin/passkeys/begin', { password: ADMIN_PASSWORD }, token);
  const added = device.make((adding.body['add'] as Asked | undefined)?.challenge ?? '');
  const kept = await post(
    '/admin/passkeys',
    { ceremony_id: adding.body['ceremony_id'], added, name: 'Laptop' },
    token,
  );
  if (kept.status !== 200)
    return [{ where: 'admin/passkeys', what: `no passkey can be added: ${kept.status}` }];

  const found: Finding[] = [];
  const opened = (where: string, what: string, { body }: Answer) => {
    if (typeof body['token'] === 'string') found.push({ where, what });
  };
  const code = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 });
  opened('admin/login', 'a password opens it alone', await post('/admin/login', who));
  opened('admin/login', 'a code of the app opens it', await post('/admin/login', { ...who, totp: code }));

  const stranger = new Authenticator(page);
  const answers = {
    'a page of another site': (challenge: string) =>
      device.sign(challenge, { page: { origin: 'https://karaar.invalid' } }),
    'a device that has recognised nobody': (challenge: string) => device.sign(challenge, { verified: false }),
    'a key that was never added': (challenge: string) => ({
      ...stranger.sign(challenge),
      id: device.id.toString('base64url'),
      rawId: device.id.toString('base64url'),
    }),
    'another challenge': () => device.sign(Buffer.alloc(32).toString('base64url')),
  };
  const finish = '/admin/login/passkey/finish';
  for (const [what, answer] of Object.entries(answers)) {
    const { body } = await post('/admin/login/passkey', who);
    const used = answer((body['use'] as Asked | undefined)?.challenge ?? '');
    opened(finish, `${what} opens it`, await post(finish, { ceremony_id: body['ceremony_id'], used }));
  }
  const { body } = await post('/admin/login/passkey', who);
  const used = device.sign((body['use'] as Asked | undefined)?.challenge ?? '');
  const answer = { ceremony_id: body['ceremony_id'], used };
  if ((await post(finish, answer)).status !== 200)
    found.push({ where: finish, what: 'the passkey itself does not open it' });
  opened(finish, 'an answer opens it twice', await post(finish, answer));
  return found;
}

export const passkeys: ProductCheck = {
  name: 'passkeys',
  holds: 'where an admin has a passkey, nothing else signs in',
  run: tryPasskeys,
};
