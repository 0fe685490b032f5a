import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { faceImage, signaturePng } from '@karaar/testing/faces/faces';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

const CAPTURES = '/documents/verification/captures';
let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let stranger: WorldUser;
let documentId: string;
let code: string;
const photos: Buffer[] = [];

beforeAll(async () => {
  for (let seed = 1; seed <= 4; seed++) photos.push(await faceImage({ seed, size: 0.4 + seed * 0.06 }));
  api = await startApi('documents-live-captures');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  stranger = await api.world.addUser('Meera Nair');
  ({ id: documentId, code } = await api.create(owner));
  await api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: documentId,
    target_user_char_id: guest.charId,
  });
}, 120_000);
afterAll(() => api.stop());

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function open(user: WorldUser, step: string, about: object): Promise<string> {
  const { status, body } = await api.call(user, 'POST', CAPTURES, { step, ...about });
  expect([status, Date.parse(String(body['expires_at'])) - Date.now() > 290_000]).toEqual([201, true]);
  return String(body['nonce']);
}
const bind = async (user: WorldUser, nonce: string, photo: Buffer) =>
  (await api.call(user, 'PUT', CAPTURES, { nonce, sha256: sha256(photo) })).status;

async function formWith(face: Buffer, eye: Buffer, fields = {}): Promise<FormData> {
  const form = await verificationForm(fields);
  form.set('profile_pic', new Blob([new Uint8Array(face)], { type: 'image/jpeg' }), 'profile_capture.jpg');
  form.set('eye', new Blob([new Uint8Array(eye)], { type: 'image/jpeg' }), 'eye_capture.jpg');
  return form;
}

async function recorded(user: WorldUser, id: string) {
  const { body } = await api.call(user, 'GET', `/documents/${id}/events`);
  const events = listIn<{
    detail: string;
    photos?: Record<string, { sha256: string; source: string }>;
  }>(body);
  return events.filter((event) => event.photos).at(-1);
}

it('records photos without a stated source as unstated, and stores their hashes', async () => {
  const event = await recorded(owner, documentId);
  expect(event?.photos?.['profile_pic']).toMatchObject({ source: 'unstated' });
  expect(event?.photos?.['sign']).toMatchObject({ method: 'unstated' });
  expect(event?.photos?.['eye']?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(event?.detail).toMatch(
    / \(face photo of unstated origin, eye photo of unstated origin\); signature, method not stated$/,
  );
});

it('records a photo bound to this document, user and step as live, in history and certificate', async () => {
  const [face, eye] = photos as [Buffer, Buffer];
  const about = { document_id: documentId };
  expect(await bind(guest, await open(guest, 'profile_pic', about), face)).toBe(200);
  const path = `/documents/${documentId}/self-verify-approve`;
  const stated = { profile_pic_source: 'camera', eye_source: 'device', sign_method: 'typed' };
  expect((await api.send(guest, path, await formWith(face, eye, stated))).status).toBe(200);
  const event = await recorded(guest, documentId);
  expect(event?.photos).toEqual({
    profile_pic: { sha256: sha256(face), source: 'live' },
    eye: { sha256: sha256(eye), source: 'device' },
    sign: { sha256: sha256(await signaturePng()), method: 'typed' },
  });
  expect(event?.detail).toBe(
    'Approved; verified by face, eye and signature (face photo taken live, eye photo from the device); signature typed',
  );
  const evidence = { profile_pic_source: 'live', eye_source: 'device', sign_method: 'typed' };
  for (const viewer of [owner, guest]) {
    const { body } = await api.call(viewer, 'GET', `/documents/${documentId}`);
    const parties = body['parties'] as { user_id: string; evidence?: { verified_at: string } }[];
    const party = parties.find(({ user_id }) => user_id === guest.userId);
    expect(party?.evidence).toEqual({ ...evidence, verified_at: expect.any(String) });
  }
  const admin = await fetch(`${api.url}/admin/documents/${documentId}`, {
    headers: await api.world.adminHeaders('support'),
  });
  expect(await admin.json()).toMatchObject({ parties: [{}, { evidence }] });
});

it('accepts a nonce once, within five minutes, and only from its user', async () => {
  const photo = photos[2]!;
  const nonce = await open(guest, 'eye', { document_id: documentId });
  expect(await bind(stranger, nonce, photo)).toBe(409);
  expect(await bind(guest, nonce, photo)).toBe(200);
  expect(await bind(guest, nonce, photo)).toBe(409);
  const old = await open(guest, 'eye', { document_id: documentId });
  await sql`UPDATE live_captures SET issued_at = issued_at - interval '301 seconds'
    WHERE nonce_sha256 = ${createHash('sha256').update(old).digest('hex')}`.execute(
    api.service.foundation.db,
  );
  expect(await bind(guest, old, photo)).toBe(409);
  expect(await bind(guest, 'made up', photo)).toBe(409);
});

it('is not valid for another step, document or user', async () => {
  const [face, eye] = [photos[2]!, photos[3]!];
  const other = await api.create(owner);
  await api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: other.id,
    target_user_char_id: guest.charId,
  });
  await bind(guest, await open(guest, 'eye', { document_id: other.id }), face);
  await bind(guest, await open(guest, 'eye', { document_id: documentId }), eye);
  await bind(owner, await open(owner, 'profile_pic', { document_id: other.id }), face);
  const path = `/documents/${other.id}/self-verify-approve`;
  expect((await api.send(guest, path, await formWith(face, eye))).status).toBe(200);
  expect((await recorded(guest, other.id))?.photos).toMatchObject({
    profile_pic: { sha256: sha256(face), source: 'unstated' },
    eye: { sha256: sha256(eye), source: 'unstated' },
  });
});

it('binds a photo to a code for joining, and to nothing for creating', async () => {
  const [face, eye] = [photos[0]!, photos[3]!];
  for (const [step, photo] of [
    ['profile_pic', face],
    ['eye', eye],
  ] as const)
    await bind(stranger, await open(stranger, step, { document_code: code.toLowerCase() }), photo);
  expect(
    (await api.send(stranger, '/documents/join', await formWith(face, eye, { document_code: code }))).status,
  ).toBe(202);
  const live = { profile_pic: { source: 'live' }, eye: { source: 'live' } };
  expect((await recorded(owner, documentId))?.photos).toMatchObject(live);

  const nonce = await open(stranger, 'profile_pic', {});
  expect(await bind(stranger, nonce, photos[1]!)).toBe(200);
  const sources = [];
  for (let i = 0; i < 2; i++) {
    const created = await api.create(stranger, (form) =>
      form.set('profile_pic', new Blob([new Uint8Array(photos[1]!)], { type: 'image/jpeg' }), 'p.jpg'),
    );
    sources.push((await recorded(stranger, created.id))?.photos?.['profile_pic']?.source);
  }
  // A binding is used up, so the same photo has no known source the second time.
  expect(sources).toEqual(['live', 'unstated']);
});

it('refuses an unknown source or method', async () => {
  const other = await api.create(owner);
  for (const stated of [{ eye_source: 'live' }, { sign_method: 'unstated' }, { profile_pic_source: 'x' }]) {
    const form = await formWith(photos[0]!, photos[1]!, stated);
    expect((await api.send(owner, `/documents/${other.id}/self-verify-approve`, form)).status).toBe(422);
  }
});

it('is available to parties only, and does not reveal whether a code exists', async () => {
  const outsider = await api.world.addUser('Ravi Iyer');
  const ask = (user: WorldUser | undefined, body: object) => api.call(user, 'POST', CAPTURES, body);
  expect((await ask(outsider, { step: 'eye', document_id: documentId })).status).toBe(403);
  expect((await ask(outsider, { step: 'eye', document_code: 'ZZZZ9999' })).status).toBe(201);
  expect((await ask(owner, { step: 'eye', document_id: documentId, document_code: code })).status).toBe(400);
  expect((await ask(owner, { step: 'thumb' })).status).toBe(422);
  expect((await ask(undefined, { step: 'eye' })).status).toBe(401);
});

it('keeps at most forty nonces per user', async () => {
  for (let i = 0; i < 45; i++) await open(owner, 'eye', {});
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM live_captures
    WHERE user_id = ${owner.userId}`.execute(api.service.foundation.db);
  expect(rows[0]?.n).toBe(40);
});
