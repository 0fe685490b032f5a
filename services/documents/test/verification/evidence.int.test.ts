import { jest } from '@jest/globals';
import { faceImage, signaturePng } from '@karaar/testing/faces/faces';
import type { WorldUser } from '@karaar/testing/service-world';
import sharp from 'sharp';
import { documentForm, draftForm, startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let joiner: WorldUser;
let documentId: string;
let code: string;
let draftId: string;
let images: Record<string, Buffer>;

beforeAll(async () => {
  const white = { create: { width: 600, height: 300, channels: 4, background: '#fff' } } as const;
  const clear = { create: { ...white.create, background: '#fff0' } } as const;
  const stroke = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><path d="M90 200Q200 20 520 150" stroke="#fff" stroke-width="6" fill="none"/></svg>',
  );
  const [drawn, face] = [await signaturePng(), await faceImage()];
  images = {
    'cut at 60 bytes': drawn.subarray(0, 60),
    'cut in the middle': drawn.subarray(0, drawn.length >> 1),
    'an empty pad': await sharp(white).png().toBuffer(),
    transparent: await sharp(clear).png().toBuffer(),
    'white ink on transparent ground': await sharp(stroke).png().toBuffer(),
    'a photo cut in the middle': face.subarray(0, face.length >> 1),
  };
  api = await startApi('documents-evidence');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  joiner = await api.world.addUser('Meera Nair');
  ({ id: documentId, code } = await api.create(owner));
  await api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: documentId,
    target_user_char_id: guest.charId,
  });
  const { body } = await api.send(owner, '/documents/create', await draftForm({ save_as_draft: 'true' }));
  draftId = String(body['document_id']);
}, 120_000);
afterAll(() => api.stop());

type Route = { of: () => WorldUser; path: () => string; form: () => Promise<FormData> };
const ROUTES: Record<string, Route> = {
  create: { of: () => owner, path: () => '/documents/create', form: () => documentForm() },
  submit: { of: () => owner, path: () => `/documents/${draftId}/submit`, form: () => verificationForm() },
  join: {
    of: () => joiner,
    path: () => '/documents/join',
    form: () => verificationForm({ document_code: code }),
  },
  'self-verify-approve': {
    of: () => guest,
    path: () => `/documents/${documentId}/self-verify-approve`,
    form: () => verificationForm(),
  },
  'respond-agreement': {
    of: () => guest,
    path: () => `/documents/${documentId}/respond-agreement`,
    form: () => verificationForm({ response: 'accept' }, true),
  },
};

async function answerTo(route: Route, kind: string, image: Buffer) {
  const form = await route.form();
  const type = kind === 'sign' ? 'image/png' : 'image/jpeg';
  form.set(kind, new Blob([new Uint8Array(image)], { type }), 'image');
  const { status, body } = await api.send(route.of(), route.path(), form);
  return { status, code: body['code'], detail: body['detail'] };
}

const signature = (what: string, msg: string) => ({
  status: 422,
  code: `signature_${what}`,
  detail: [{ loc: 'sign', msg }],
});
const BROKEN = signature('broken', 'The picture of your signature cannot be read. Please sign again.');
const BLANK = signature('blank', 'Your signature is empty. Please sign again.');

describe.each(Object.keys(ROUTES))('%s', (name) => {
  const route = ROUTES[name]!;
  it.each([
    ['cut at 60 bytes', BROKEN],
    ['cut in the middle', BROKEN],
    ['an empty pad', BLANK],
    ['transparent', BLANK],
    ['white ink on transparent ground', BLANK],
  ])('refuses a signature that is %s, and keeps nothing', async (what, refusal) => {
    expect(await answerTo(route, 'sign', images[what]!)).toEqual(refusal);
    const kept = await api.service.foundation.db
      .selectFrom('verifications')
      .select('user_id')
      .where('document_id', '=', documentId)
      .where('user_id', '<>', owner.userId)
      .execute();
    expect(kept).toEqual([]);
  });

  it.each(['profile_pic', 'eye'])('refuses a %s that was cut off', async (kind) => {
    expect(await answerTo(route, kind, images['a photo cut in the middle']!)).toEqual({
      status: 422,
      code: 'photo_broken',
      detail: [{ loc: kind, msg: 'This photo cannot be read. Please take it again.' }],
    });
  });
});

describe.each(['self-verify-approve', 'respond-agreement'])('%s', (name) => {
  it.each([
    ['a photo cut in the middle', 'fingerprint_broken', 'cannot be read'],
    ['an empty pad', 'fingerprint_blank', 'shows nothing'],
  ])('refuses a fingerprint image that is %s', async (what, code_, words) => {
    const answer = await answerTo(ROUTES[name]!, 'thumb', images[what]!);
    expect(answer).toMatchObject({ status: 422, code: code_ });
    expect(answer.detail).toEqual([{ loc: 'thumb', msg: expect.stringContaining(words) }]);
  });
});
