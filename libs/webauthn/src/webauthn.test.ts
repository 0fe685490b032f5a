import { Authenticator } from '@karaar/proof/testing/authenticator';
import {
  CEREMONY_MS,
  creationOptions,
  randomChallenge,
  readAssertion,
  readRegistration,
  requestOptions,
  siteOf,
} from './index.ts';

const SITE = siteOf({ PUBLIC_URL: 'https://karaar.example/app' });
const USER = { id: '0190a000-0000-7000-8000-000000000001', name: 'asha', displayName: 'Asha Rao' };

async function registered(device = new Authenticator()) {
  const { challenge } = await creationOptions(SITE, USER, []);
  const passkey = await readRegistration(SITE, challenge, device.register({ ...SITE, challenge }));
  if (!passkey) throw new Error('The passkey was refused');
  return { device, passkey };
}

it('takes origin and host from the public address', () => {
  expect(SITE).toEqual({ origin: 'https://karaar.example', rpId: 'karaar.example' });
});

it('asks browsers for user verification, and excludes known devices', async () => {
  const { passkey } = await registered();
  const known = { id: passkey.credential_id, type: 'public-key', transports: ['internal'] };
  expect(await creationOptions(SITE, USER, [passkey])).toMatchObject({
    excludeCredentials: [known],
    authenticatorSelection: { userVerification: 'required' },
    timeout: CEREMONY_MS,
  });
  expect(requestOptions(SITE, 'AAAA', [passkey])).toEqual({
    challenge: 'AAAA',
    timeout: CEREMONY_MS,
    rpId: 'karaar.example',
    allowCredentials: [known],
    userVerification: 'required',
  });
});

it.each([
  ['another origin', { origin: 'https://karaar.example.evil' }],
  ['another host', { rpId: 'example' }],
  ['another challenge', { challenge: 'AAAA' }],
])('refuses a new passkey of %s', async (_, change) => {
  const { challenge } = await creationOptions(SITE, USER, []);
  const made = new Authenticator().register({ ...SITE, challenge, ...change });
  expect(await readRegistration(SITE, challenge, made)).toBeUndefined();
});

it('accepts a signature of the passkey, and returns its counter', async () => {
  const { device, passkey } = await registered();
  const challenge = await randomChallenge(SITE);
  const used = device.answer({ ...SITE, challenge });
  expect(await readAssertion(SITE, challenge, used, passkey)).toEqual({ counter: 1, synced: false });
});

it.each([
  ['another origin', { origin: 'https://karaar.example.evil' }],
  ['another host', { rpId: 'example' }],
  ['another challenge', { challenge: 'AAAA' }],
  ['a device that has not verified its user', { flags: 0x01 }],
  ['a counter that went back', { counter: 0 }],
])('refuses a signature with %s', async (_, change) => {
  const { device, passkey } = await registered();
  const challenge = await randomChallenge(SITE);
  const used = device.answer({ ...SITE, challenge, ...change });
  expect(await readAssertion(SITE, challenge, used, { ...passkey, counter: 1 })).toBeUndefined();
});

it('refuses a signature of another passkey, also under the id of this one', async () => {
  const { passkey } = await registered();
  const challenge = await randomChallenge(SITE);
  const other = new Authenticator().answer({ ...SITE, challenge });
  expect(await readAssertion(SITE, challenge, other, passkey)).toBeUndefined();
  const named = { ...other, id: passkey.credential_id, rawId: passkey.credential_id };
  expect(await readAssertion(SITE, challenge, named, passkey)).toBeUndefined();
});
