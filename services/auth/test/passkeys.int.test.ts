import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { PasskeyAssertion } from '@karaar/contracts/auth/passkeys-http';
import { generate } from 'otplib';
import { passkeysRequired } from '../src/config.ts';
import { createAdmin } from '../src/features/admins/first-admin.ts';
import { pruneCeremonies } from '../src/features/admins/passkeys/ceremonies.repository.ts';
import { forgetPasskeys } from '../src/features/admins/passkeys/passkeys.repository.ts';
import { startApi, type Answer, type Api } from './api.ts';
import { Authenticator } from '@karaar/testing/people/authenticator';
import { until } from '@karaar/testing/until';
import { listIn } from '@karaar/testing/list-in';

jest.setTimeout(60_000);

const PASSWORD = 'a long enough password';
let api: Api;
let strict: Api;
beforeAll(async () => {
  [api, strict] = await Promise.all([
    startApi('auth-passkeys'),
    startApi('auth-passkeys-required', { ADMIN_PASSKEYS: 'required' }),
  ]);
}, 120_000);
afterAll(() => Promise.all([api.stop(), strict.stop()]));
beforeEach(async () => {
  await api.forgetLimits();
  await strict.forgetLimits();
});

it('passkeys are required in production unless the operator says otherwise', () => {
  expect(passkeysRequired({ NODE_ENV: 'production' })).toBe(true);
  expect(passkeysRequired({ NODE_ENV: 'production', ADMIN_PASSKEYS: 'optional' })).toBe(false);
  expect(passkeysRequired({ NODE_ENV: 'development' })).toBe(false);
  expect(passkeysRequired({ NODE_ENV: 'development', ADMIN_PASSKEYS: 'required' })).toBe(true);
});

type Begun = { ceremony_id: string; use?: { challenge: string }; add?: { challenge: string } };
type Credentials = { username: string; password: string };

async function newAdmin(of: Api): Promise<Credentials> {
  const username = `admin-${randomUUID().slice(0, 8)}`;
  await createAdmin({ db: of.service.foundation.db }, { username, password: PASSWORD, role: 'support' });
  return { username, password: PASSWORD };
}
const login = (of: Api, body: object) => of.json('POST', '/admin/login', body);
const begin = (of: Api, body: object) => of.json('POST', '/admin/login/passkey', body);
const finish = (of: Api, body: object) => of.json('POST', '/admin/login/passkey/finish', body);
const bearer = (answer: Answer) => ({ authorization: `Bearer ${String(answer.body['token'])}` });
const begun = (answer: Answer): Begun => {
  if (answer.status !== 200) throw new Error(`begun with ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Begun;
};
const said = ({ status, body }: Answer) => `${status} ${String(body['code'])}`;

async function withPasskey(of: Api): Promise<{
  admin: Credentials;
  device: Authenticator;
  headers: { authorization: string };
  codes: string[];
}> {
  const admin = await newAdmin(of);
  const headers = bearer(await login(of, admin));
  const device = new Authenticator();
  const { status, body } = await addOwn(of, headers, device);
  expect(status).toBe(200);
  return { admin, device, headers, codes: body['recovery_codes'] as string[] };
}
async function addOwn(of: Api, headers: { authorization: string }, device: Authenticator) {
  const adding = begun(await of.json('POST', '/admin/passkeys/begin', { password: PASSWORD }, headers));
  const added = device.make(adding.add?.challenge ?? '');
  return of.json(
    'POST',
    '/admin/passkeys',
    { ceremony_id: adding.ceremony_id, added, name: 'Phone' },
    headers,
  );
}
async function use(of: Api, admin: object, answer: (challenge: string) => PasskeyAssertion) {
  const { ceremony_id, use: options } = begun(await begin(of, admin));
  return finish(of, { ceremony_id, used: answer(options?.challenge ?? '') });
}

describe('an admin with a passkey', () => {
  it('can sign in with the passkey, but not with password or code alone', async () => {
    const { admin, device, codes } = await withPasskey(api);
    expect(codes).toHaveLength(10);
    expect(said(await login(api, admin))).toBe('401 passkey_required');
    expect(said(await login(api, { ...admin, totp: codes[0] }))).toBe('401 passkey_required');
    const signedIn = await use(api, admin, (challenge) => device.sign(challenge));
    expect(signedIn).toMatchObject({ status: 200, body: { username: admin.username, recovery_codes: [] } });
    const me = await api.json('GET', '/admin/me', undefined, bearer(signedIn));
    expect(me.body).toMatchObject({ passkey_required: true, recovery_codes_left: 10 });
    const list = await api.json('GET', '/admin/passkeys', undefined, bearer(signedIn));
    expect(list.body).toEqual([
      {
        _id: expect.any(String),
        name: 'Phone',
        created_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
        synced: true,
      },
    ]);
  });

  it('is refused on another site, without user verification, for another challenge and with another key', async () => {
    const { admin, device } = await withPasskey(api);
    const stranger = new Authenticator();
    const refused: Record<string, (challenge: string) => PasskeyAssertion> = {
      'a page of another site': (challenge) =>
        device.sign(challenge, { page: { origin: 'https://karaar.example.evil' } }),
      'another port of the host': (challenge) =>
        device.sign(challenge, { page: { origin: 'http://localhost:9' } }),
      'another host': (challenge) => device.sign(challenge, { page: { rpId: 'evil.example' } }),
      'a device that has recognised nobody': (challenge) => device.sign(challenge, { verified: false }),
      'an older challenge': () => device.sign(Buffer.alloc(32).toString('base64url')),
      'a key that was never added': (challenge) => stranger.sign(challenge),
      'another key under this id': (challenge) => ({
        ...stranger.sign(challenge),
        id: device.id.toString('base64url'),
        rawId: device.id.toString('base64url'),
      }),
    };
    for (const [what, answer] of Object.entries(refused))
      expect([what, said(await use(api, admin, answer))]).toEqual([what, '401 passkey_refused']);
    expect((await use(api, admin, (challenge) => device.sign(challenge))).status).toBe(200);
  });

  it('is refused when a copy of the device has signed meanwhile', async () => {
    const { admin, device } = await withPasskey(api);
    expect((await use(api, admin, (challenge) => device.sign(challenge, { counter: 7 }))).status).toBe(200);
    for (const counter of [7, 3])
      expect(said(await use(api, admin, (challenge) => device.sign(challenge, { counter })))).toBe(
        '401 passkey_refused',
      );
    expect((await use(api, admin, (challenge) => device.sign(challenge, { counter: 8 }))).status).toBe(200);
  });

  it('has one attempt per challenge, within five minutes and for its purpose only, also with two simultaneous ones', async () => {
    const { admin, device, headers } = await withPasskey(api);
    const { ceremony_id, use: options } = begun(await begin(api, admin));
    const used = device.sign(options?.challenge ?? '');
    const twice = await Promise.all([1, 2].map(() => finish(api, { ceremony_id, used })));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(said(await finish(api, { ceremony_id, used }))).toBe('401 passkey_refused');
    const late = begun(await begin(api, admin));
    await api.service.foundation.db
      .updateTable('passkey_ceremonies')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', late.ceremony_id)
      .execute();
    const signed = device.sign(late.use?.challenge ?? '');
    expect(said(await finish(api, { ceremony_id: late.ceremony_id, used: signed }))).toBe(
      '401 passkey_refused',
    );
    await pruneCeremonies(api.service.foundation.db);
    // A sign-in challenge cannot add a passkey, and a challenge for adding cannot sign in.
    const other = begun(await begin(api, admin));
    const added = new Authenticator().make(other.use?.challenge ?? '');
    expect(said(await finish(api, { ceremony_id: other.ceremony_id, added }))).toBe('401 passkey_refused');
    const adding = begun(await api.json('POST', '/admin/passkeys/begin', { password: PASSWORD }, headers));
    const made = new Authenticator().make(adding.add?.challenge ?? '');
    expect(said(await finish(api, { ceremony_id: adding.ceremony_id, added: made }))).toBe(
      '401 passkey_refused',
    );
  });

  it('adds another passkey with a recovery code after losing it, each code once; an app code does not replace it', async () => {
    const { admin, headers, codes } = await withPasskey(api);
    const enrolled = await api.json('POST', '/admin/totp/enroll', { password: PASSWORD }, headers);
    const secret = String(enrolled.body['secret']);
    const confirmed = await api.json(
      'POST',
      '/admin/totp/confirm',
      { code: await generate({ secret }) },
      headers,
    );
    const fresh = confirmed.body['recovery_codes'] as string[];
    const app = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 });
    expect(said(await login(api, { ...admin, totp: app }))).toBe('401 passkey_required');
    expect(said(await begin(api, { ...admin, totp: app }))).toBe('401 totp_wrong');
    expect(said(await begin(api, { ...admin, totp: codes[0] }))).toBe('401 totp_wrong');
    const { ceremony_id, add } = begun(await begin(api, { ...admin, totp: fresh[0] }));
    expect(said(await begin(api, { ...admin, totp: fresh[0] }))).toBe('401 totp_wrong');
    const device = new Authenticator();
    const added = device.make(add?.challenge ?? '');
    const signedIn = await finish(api, { ceremony_id, added, name: 'New phone' });
    expect(signedIn).toMatchObject({ status: 200, body: { recovery_codes: [] } });
    const names = (await api.json('GET', '/admin/passkeys', undefined, bearer(signedIn))).body;
    expect(names).toMatchObject([{ name: 'Phone' }, { name: 'New phone' }]);
    expect((await use(api, admin, (challenge) => device.sign(challenge))).status).toBe(200);
    // A finder of the lost device cannot go on with its session.
    await until('the sessions of before are over', async () => {
      return (await api.json('GET', '/admin/me', undefined, headers)).status === 401;
    });
    expect((await api.json('GET', '/admin/me', undefined, bearer(signedIn))).status).toBe(200);
  });

  it('still counts wrong passwords: the guesser has to wait, and does not learn of the passkey', async () => {
    const { admin } = await withPasskey(api);
    const guesses = [];
    for (let i = 0; i < 8; i += 1) guesses.push(said(await begin(api, { ...admin, password: 'x' })));
    expect(guesses.slice(0, 3)).toEqual(Array(3).fill('401 invalid_credentials'));
    expect(guesses.at(-1)).toBe('429 too_many_requests');
    expect(said(await begin(api, { username: 'nobody', password: 'x' }))).toBe('401 invalid_credentials');
  });
});

describe('an admin’s own passkeys', () => {
  it('are added and removed after the password, each once and audited; the last one may be removed where none is required', async () => {
    const { admin, device, headers } = await withPasskey(api);
    const wrong = await api.json('POST', '/admin/passkeys/begin', { password: 'x' }, headers);
    expect(said(wrong)).toBe('400 password_wrong');
    expect(said(await addOwn(api, headers, device))).toBe('409 passkey_known');
    expect((await addOwn(api, headers, new Authenticator())).body).toEqual({ recovery_codes: [] });
    const list = listIn<{ _id: string }>((await api.json('GET', '/admin/passkeys', undefined, headers)).body);
    for (const { _id } of list) {
      const remove = (password: string) =>
        api.json('POST', `/admin/passkeys/${_id}/remove`, { password }, headers);
      expect(said(await remove('x'))).toBe('400 password_wrong');
      expect((await remove(PASSWORD)).status).toBe(200);
      expect(said(await remove(PASSWORD))).toBe('404 passkey_not_found');
    }
    expect((await login(api, admin)).status).toBe(200);
    const trail = await api.service.foundation.db
      .selectFrom('admin_audit')
      .innerJoin('admins', 'admins.id', 'admin_audit.admin_id')
      .select(['action', 'target'])
      .where('username', '=', admin.username)
      .where('action', 'like', 'passkey.%')
      .orderBy('at')
      .execute();
    expect(trail.map(({ action }) => action)).toEqual([
      'passkey.added',
      'passkey.added',
      'passkey.removed',
      'passkey.removed',
    ]);
    expect(trail[0]?.target).toBe('Phone');
  });

  it('are protected from other admins: they cannot remove, add or list them', async () => {
    const [asha, vikram] = [await withPasskey(api), await withPasskey(api)];
    const [hers] = listIn<{ _id: string }>(
      (await api.json('GET', '/admin/passkeys', undefined, asha.headers)).body,
    );
    const removed = await api.json(
      'POST',
      `/admin/passkeys/${hers?._id}/remove`,
      { password: PASSWORD },
      vikram.headers,
    );
    expect(said(removed)).toBe('404 passkey_not_found');
    const adding = begun(
      await api.json('POST', '/admin/passkeys/begin', { password: PASSWORD }, asha.headers),
    );
    const body = {
      ceremony_id: adding.ceremony_id,
      added: new Authenticator().make(adding.add?.challenge ?? ''),
      name: 'Theirs',
    };
    expect(said(await api.json('POST', '/admin/passkeys', body, vikram.headers))).toBe(
      '400 passkey_not_added',
    );
    const list = await api.json('GET', '/admin/passkeys', undefined, vikram.headers);
    expect(list.body).toHaveLength(1);
  });

  it('are not added for another site or challenge', async () => {
    const { headers } = await withPasskey(api);
    for (const page of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
      const adding = begun(await api.json('POST', '/admin/passkeys/begin', { password: PASSWORD }, headers));
      const added = new Authenticator().make(adding.add?.challenge ?? '', { page });
      const body = { ceremony_id: adding.ceremony_id, added, name: 'Phone' };
      expect(said(await api.json('POST', '/admin/passkeys', body, headers))).toBe('400 passkey_not_added');
    }
  });

  it('come with recovery codes, renewed after the password, unless the admin is never asked for a code', async () => {
    const { headers, codes } = await withPasskey(api);
    const renew = (body: object, as: { authorization: string }) =>
      api.json('POST', '/admin/recovery-codes', body, as);
    expect(said(await renew({ password: 'x' }, headers))).toBe('400 password_wrong');
    const renewed = (await renew({ password: PASSWORD }, headers)).body['recovery_codes'] as string[];
    expect(renewed).toHaveLength(10);
    expect(renewed).not.toEqual(expect.arrayContaining([codes[0]]));
    const bare = bearer(await login(api, await newAdmin(api)));
    expect(said(await renew({ password: PASSWORD }, bare))).toBe('409 no_second_factor');
  });
});

describe('where passkeys are required', () => {
  it('an admin without one adds it before the first session; of two simultaneous attempts one succeeds', async () => {
    const admin = await newAdmin(strict);
    expect(said(await login(strict, admin))).toBe('401 passkey_required');
    const tries = [begun(await begin(strict, admin)), begun(await begin(strict, admin))];
    const answers = await Promise.all(
      tries.map(({ ceremony_id, add }) =>
        finish(strict, { ceremony_id, added: new Authenticator().make(add?.challenge ?? ''), name: 'Phone' }),
      ),
    );
    expect(answers.map(said).sort()).toEqual(['200 undefined', '401 passkey_refused']);
    const won = answers.find(({ status }) => status === 200);
    expect(won?.body['recovery_codes']).toHaveLength(10);
    expect((await begin(strict, admin)).body).toHaveProperty('use');
  });

  it('an admin with an authenticator app enters its code before adding the first passkey', async () => {
    const admin = await newAdmin(strict);
    const { ceremony_id, add } = begun(await begin(strict, admin));
    const first = await finish(strict, {
      ceremony_id,
      added: new Authenticator().make(add?.challenge ?? ''),
      name: 'Phone',
    });
    const enrolled = await strict.json('POST', '/admin/totp/enroll', { password: PASSWORD }, bearer(first));
    const secret = String(enrolled.body['secret']);
    await strict.json('POST', '/admin/totp/confirm', { code: await generate({ secret }) }, bearer(first));
    expect(await forgetPasskeys(strict.service.foundation.db, admin.username)).toBe(1);
    expect(said(await begin(strict, admin))).toBe('401 totp_required');
    expect(said(await begin(strict, { ...admin, totp: '000000' }))).toBe('401 totp_wrong');
    const code = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 });
    expect((await begin(strict, { ...admin, totp: code })).body).toHaveProperty('add');
  });

  it('the last passkey cannot be removed', async () => {
    const admin = await newAdmin(strict);
    const { ceremony_id, add } = begun(await begin(strict, admin));
    const device = new Authenticator();
    const signedIn = await finish(strict, {
      ceremony_id,
      added: device.make(add?.challenge ?? ''),
      name: 'A',
    });
    const headers = bearer(signedIn);
    const [only] = listIn<{ _id: string }>(
      (await strict.json('GET', '/admin/passkeys', undefined, headers)).body,
    );
    const remove = () =>
      strict.json('POST', `/admin/passkeys/${only?._id}/remove`, { password: PASSWORD }, headers);
    expect(said(await remove())).toBe('409 last_passkey');
    expect((await use(strict, admin, (challenge) => device.sign(challenge))).status).toBe(200);
    await addOwn(strict, headers, new Authenticator());
    expect((await remove()).status).toBe(200);
  });
});
