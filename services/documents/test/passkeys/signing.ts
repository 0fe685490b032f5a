/** Software authenticators that add signing keys and sign, for the tests of documents. */
import { createHash } from 'node:crypto';
import type { SigningKey } from '@karaar/contracts/documents/signing-keys';
import { Authenticator } from '@karaar/proof/testing/authenticator';
import { faceImage } from '@karaar/testing/faces/faces';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import type { Api } from '../api.ts';

export const KEYS = '/documents/signing-keys';
export const SITE = { origin: 'http://localhost:8080', rpId: 'localhost' };
let seed = 0;

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A face photo, by default bound when it was taken. */
export async function photoForm(api: Api, user: WorldUser, bound = true): Promise<FormData> {
  seed += 1;
  const photo = await faceImage({ seed, size: 0.5 });
  if (bound) {
    const path = '/documents/verification/captures';
    const opened = await api.call(user, 'POST', path, { step: 'profile_pic', signing_key: true });
    expect(opened.status).toBe(201);
    await api.call(user, 'PUT', path, { nonce: opened.body['nonce'], sha256: sha256(photo) });
  }
  const form = new FormData();
  form.set('profile_pic', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'face.jpg');
  return form;
}

export type Begun = { ceremony_id: string; add: { challenge: string; rp: { id: string } } };
export async function begin(api: Api, user: WorldUser): Promise<Begun> {
  const { status, body } = await api.send(user, `${KEYS}/begin`, await photoForm(api, user));
  expect([status, body['code']]).toEqual([200, undefined]);
  return body as Begun;
}
export const finish = (api: Api, user: WorldUser, begun: Begun, device: Authenticator, change = {}) =>
  api.call(user, 'POST', KEYS, {
    ceremony_id: begun.ceremony_id,
    added: device.register({ ...SITE, challenge: begun.add.challenge, ...change }),
    name: 'Phone',
  });
export const list = async (api: Api, user: WorldUser) =>
  listIn<SigningKey>((await api.call(user, 'GET', KEYS)).body);

/** A software authenticator whose key is in the log. */
export async function enrol(api: Api, user: WorldUser): Promise<{ device: Authenticator; keyId: string }> {
  const device = new Authenticator();
  const { status, body } = await finish(api, user, await begin(api, user), device);
  expect(status).toBe(201);
  const keyId = String(body['_id']);
  await until('the key is logged', async () =>
    (await list(api, user)).some(({ _id, logged }) => _id === keyId && logged),
  );
  return { device, keyId };
}
export const state = (api: Api, user: WorldUser | undefined, id: string, keyId: string) =>
  api.call(user, 'POST', `/documents/${id}/signing-statement`, { key_id: keyId });
export const approve = (api: Api, user: WorldUser, id: string, signed?: unknown) =>
  api.call(user, 'PUT', `/documents/${id}/approve/${user.userId}`, signed ? { signed } : {});

export type Stated = { statement_id: string; statement: string; use: { challenge: string } };
export const stated = async (api: Api, user: WorldUser, id: string, keyId: string): Promise<Stated> =>
  (await state(api, user, id, keyId)).body as Stated;
export const answer = (device: Authenticator, { statement_id, use }: Stated, change = {}) => ({
  statement_id,
  used: device.answer({ ...SITE, challenge: use.challenge, ...change }),
});
