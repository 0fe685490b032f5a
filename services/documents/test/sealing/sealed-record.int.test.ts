import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { approvalStatement, statementHash } from '@karaar/proof/approval/approval';
import { faceImage, signaturePng } from '@karaar/testing/faces/faces';
import type { WorldUser } from '@karaar/testing/service-world';
import { approvalsOf } from '../../src/features/agreements/approvals/approvals.repository.ts';
import { eraseRows, exportRows } from '../../src/features/personal-data/personal-data.repository.ts';
import { moment, shortHash } from '@karaar/rendering/testing/printed';
import { textOf } from '@karaar/testing/pdf-judges';
import { startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(120_000);

const CAPTURES = '/documents/verification/captures';
let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let joiner: WorldUser;
let fourth: WorldUser;
let id: string;
let text: string;
const from = (words: string): string => text.slice(text.indexOf(words));

const image = (bytes: Buffer, type: string) => new Blob([new Uint8Array(bytes)], { type });
function put(form: FormData, images: { face: Buffer; eye: Buffer; sign: Buffer }): FormData {
  form.set('profile_pic', image(images.face, 'image/jpeg'), 'profile_capture.jpg');
  form.set('eye', image(images.eye, 'image/jpeg'), 'eye_capture.jpg');
  form.set('sign', image(images.sign, 'image/png'), 'signature.png');
  return form;
}
async function imagesOf(seed: number) {
  const [face, eye] = [await faceImage({ seed }), await faceImage({ seed: seed + 20, size: 0.8 })];
  return { face, eye, sign: await signaturePng(seed) };
}
async function takeLive(user: WorldUser, step: string, photo: Buffer, about: object): Promise<void> {
  const { body } = await api.call(user, 'POST', CAPTURES, { step, ...about });
  const sha256 = createHash('sha256').update(photo).digest('hex');
  expect((await api.call(user, 'PUT', CAPTURES, { nonce: body['nonce'], sha256 })).status).toBe(200);
}
const ok = async (answer: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(JSON.stringify(body));
};

beforeAll(async () => {
  api = await startApi('documents-sealed-record');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  joiner = await api.world.addUser('Meera Nair');
  fourth = await api.world.addUser('Ravi Iyer');

  const own = await imagesOf(1);
  await takeLive(owner, 'profile_pic', own.face, {});
  const created = await api.create(owner, (form) => {
    put(form, own);
    for (const [name, value] of Object.entries({
      profile_pic_source: 'camera',
      eye_source: 'camera',
      sign_method: 'drawn',
    }))
      form.append(name, value);
  });
  id = created.id;
  for (const user of [guest, fourth])
    await ok(
      api.call(owner, 'POST', '/documents/initiate-agreement', {
        document_id: id,
        target_user_char_id: user.charId,
      }),
    );

  const joins = await verificationForm({ document_code: created.code, sign_method: 'uploaded' });
  await ok(api.send(joiner, '/documents/join', put(joins, await imagesOf(3))));
  await ok(api.call(owner, 'PUT', `/documents/${id}/approve-user/${joiner.userId}`));

  // Sends the face photo as the eye photo too, and the creator's signature.
  const theirs = await imagesOf(2);
  const stated = { profile_pic_source: 'device', eye_source: 'device', sign_method: 'typed' };
  const accept = await verificationForm({ response: 'accept', ...stated }, true);
  await ok(
    api.send(
      guest,
      `/documents/${id}/respond-agreement`,
      put(accept, { ...theirs, eye: theirs.face, sign: own.sign }),
    ),
  );

  await ok(api.call(joiner, 'PUT', `/documents/${id}/approve/${joiner.userId}`, {}));

  await ok(
    api.send(
      fourth,
      `/documents/${id}/self-verify-approve`,
      put(await verificationForm(), await imagesOf(4)),
    ),
  );
  await ok(api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`, {}));

  await ok(api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH'));
  for (let i = 0; i < 300; i += 1) {
    const { body } = await api.call(owner, 'GET', `/documents/${id}`);
    if (body['status'] === 'finalized') break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const response = await fetch(`${api.url}/documents/${id}/final-pdf`, { headers: owner.headers });
  expect(response.status).toBe(200);
  const pdf = new Uint8Array(await response.arrayBuffer());
  text = (await textOf(pdf)).replace(/\s+/g, ' ');
}, 180_000);
afterAll(() => api.stop());

it('[FINAL-021] prints how each signature was made and where each photo came from', () => {
  const card = (user: WorldUser) => from('How each person signed').split(user.name)[1]?.split('eye photo')[0];
  expect(card(owner)).toContain('Signature drawn');
  expect(card(owner)).toContain('Face photo taken live');
  expect(card(guest)).toContain('Signature typed');
  expect(card(guest)).toContain('Face photo from the device');
  expect(card(joiner)).toContain('Signature uploaded as a picture');
  expect(card(joiner)).toContain('Face photo of unstated origin');
  expect(card(fourth)).toContain('Signature, method not stated');
  // The form claims a camera, but this photo was not bound to a capture.
  expect(from('How each person signed')).toContain('eye photo of unstated origin');
  for (const untrue of [
    'photographed live',
    'drew this signature',
    'approved by each of them',
    'drawn signature',
  ])
    expect(text).not.toContain(untrue);
});

it('[DOC-077] prints the time and statement of each approval', async () => {
  const approvals = new Map(
    (await approvalsOf(api.service.foundation.db, id)).map((row) => [row.user_id, row]),
  );
  const table = from('APPROVALS');
  for (const user of [owner, guest, joiner, fourth]) {
    const { approved_at, statement } = approvals.get(user.userId)!;
    const hash = statementHash(statement);
    expect(hash).toBe(statementHash(approvalStatement(JSON.parse(statement))));
    expect(table).toContain(`${user.name} Approved ${moment(approved_at.toISOString())} ${shortHash(hash)}`);
    expect(from('WHAT WENT IN')).toContain(hash);
  }
  expect(text).toContain('Each of them approved it.');
});

it('prints the findings about images, with their hashes only', () => {
  const noticed = from('NOTICED ABOUT THE IMAGES').split('KARAAR CHARGE')[0];
  expect(noticed).toContain('Vikram Shah sent one file as two of the images.');
  for (const user of [owner, guest])
    expect(noticed).toContain(`${user.name} sent a file that another person of this agreement sent as well.`);
  for (const user of [joiner, fourth]) expect(noticed).not.toContain(user.name);
});

it('[FINAL-018] prints the charge in the certificate alone', () => {
  expect(text.split('Certificate of completion').at(-1)).toContain('KARAAR CHARGE Charged for');
  expect(text.slice(0, text.indexOf('How each person signed'))).not.toContain('₹');
});

it('is part of the user’s own export, and is erased with the account', async () => {
  const { db } = api.service.foundation;
  const verification = async (user: WorldUser) => {
    const [row] = await exportRows(db, user.userId, null);
    return [row?.face_photo_source, row?.eye_photo_source, row?.signature_method];
  };
  const shown = async (user: WorldUser) => {
    const { body } = await api.call(owner, 'GET', `/documents/${id}`);
    return (body['parties'] as { user_id: string; evidence?: object }[]).find(
      (one) => one.user_id === user.userId,
    )?.evidence;
  };
  expect(await verification(guest)).toEqual(['device', 'device', 'typed']);
  expect(await shown(guest)).toMatchObject({ eye_source: 'device', sign_method: 'typed' });
  await db.transaction().execute((tx) => eraseRows(tx, guest.userId));
  expect(await verification(guest)).toEqual([null, null, null]);
  expect(await shown(guest)).toBeUndefined();
  // The sealed file does not change.
  expect(text).toContain('Signature typed');
});
