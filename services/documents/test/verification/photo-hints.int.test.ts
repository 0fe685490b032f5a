import { jest } from '@jest/globals';
import type { FaceBox } from '@karaar/contracts/documents/http';
import { faceImage, signaturePng } from '@karaar/testing/faces/faces';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import sharp from 'sharp';
import { FACE, startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let other: WorldUser;
let third: WorldUser;
let documentId: string;
const faces: Buffer[] = [];

beforeAll(async () => {
  for (let seed = 1; seed <= 8; seed++)
    faces.push(await faceImage({ seed, x: 0.3 + seed * 0.05, size: 0.4 + seed * 0.06, tilt: seed * 5 - 20 }));
  api = await startApi('documents-photo-hints');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  other = await api.world.addUser('Meera Nair');
  third = await api.world.addUser('Ravi Iyer');
  documentId = (await api.create(owner, (form) => putPhotos(form, faces[0]!, faces[1]!))).id;
}, 120_000);
afterAll(() => api.stop());

function putPhotos(form: FormData, face: Buffer, eye: Buffer): void {
  form.set('profile_pic', new Blob([new Uint8Array(face)], { type: 'image/jpeg' }), 'profile_capture.jpg');
  form.set('eye', new Blob([new Uint8Array(eye)], { type: 'image/jpeg' }), 'eye_capture.jpg');
}

/** A different signature per user. */
const signatureOf = (user: WorldUser) => signaturePng(2 + [guest, other, third].indexOf(user));

async function verify(user: WorldUser, face: Buffer, eye: Buffer): Promise<number> {
  const form = await verificationForm();
  putPhotos(form, face, eye);
  form.set(
    'sign',
    new Blob([new Uint8Array(await signatureOf(user))], { type: 'image/png' }),
    'signature.png',
  );
  return (await api.send(user, `/documents/${documentId}/self-verify-approve`, form)).status;
}

async function hintsTo(viewer: WorldUser, about: WorldUser): Promise<unknown> {
  const { body } = await api.call(viewer, 'GET', `/documents/${documentId}`);
  const parties = body['parties'] as { user_id: string; photo_hints?: string[] }[];
  return parties.find(({ user_id }) => user_id === about.userId)?.photo_hints;
}

const invite = (user: WorldUser) =>
  api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: documentId,
    target_user_char_id: user.charId,
  });

it('shows the creator the face box of a photo, for cropping', async () => {
  const { body } = await api.call(owner, 'GET', `/documents/${documentId}`);
  const parties = body['parties'] as { photo?: string; photo_face?: FaceBox }[];
  expect(parties).toContainEqual(expect.objectContaining({ photo: expect.any(String), photo_face: FACE }));
  await invite(guest);
  const toGuest = await api.call(guest, 'GET', `/documents/${documentId}`);
  expect(JSON.stringify(toGuest.body)).not.toContain('photo_face');
});

it('reports nothing for new photos', async () => {
  expect(await verify(guest, faces[2]!, faces[3]!)).toBe(200);
  expect(await hintsTo(owner, guest)).toBeUndefined();
  expect(await hintsTo(owner, owner)).toBeUndefined();
});

it('reports another user’s photo to the creator only: the same bytes, or a smaller copy', async () => {
  await invite(other);
  expect(await verify(other, faces[0]!, faces[4]!)).toBe(200);
  expect(await hintsTo(owner, other)).toEqual(['shared_image', 'same_photo']);
  expect(await hintsTo(guest, other)).toBeUndefined();
  expect(await hintsTo(other, other)).toBeUndefined();

  await invite(third);
  const copy = await sharp(faces[3]).resize(400).jpeg({ quality: 50 }).toBuffer();
  expect(await verify(third, faces[5]!, copy)).toBe(200);
  expect(await hintsTo(owner, third)).toEqual(['similar_photo']);
  expect(await hintsTo(third, third)).toBeUndefined();
});

it('detects a photo that the same user sent for another document', async () => {
  const second = await api.create(owner, (form) => putPhotos(form, faces[7]!, faces[1]!));
  const { body } = await api.call(owner, 'GET', `/documents/${second.id}`);
  expect((body['parties'] as { photo_hints?: string[] }[])[0]?.photo_hints).toEqual(['same_photo']);
});

describe('the same file twice', () => {
  const twice: Buffer[] = [];
  let id: string;
  const party = async (viewer: WorldUser, about: WorldUser) => {
    const { body } = await api.call(viewer, 'GET', `/documents/${id}`);
    const parties = body['parties'] as { user_id: string; photo_hints?: string[] }[];
    return parties.find(({ user_id }) => user_id === about.userId)?.photo_hints;
  };
  beforeAll(async () => {
    for (let seed = 11; seed <= 14; seed++)
      twice[seed] = await faceImage({
        seed,
        x: 0.3 + (seed - 10) * 0.07,
        size: 0.8 - (seed - 10) * 0.09,
        tilt: seed,
      });
    id = (await api.create(owner, (form) => putPhotos(form, twice[11]!, twice[12]!))).id;
    for (const user of [guest, other])
      await api.call(owner, 'POST', '/documents/initiate-agreement', {
        document_id: id,
        target_user_char_id: user.charId,
      });
  });

  it('as face and eye of one person is reported to the creator only', async () => {
    const form = await verificationForm({ response: 'accept' }, true);
    putPhotos(form, twice[13]!, twice[13]!);
    form.set(
      'sign',
      new Blob([new Uint8Array(await signaturePng(2))], { type: 'image/png' }),
      'signature.png',
    );
    expect((await api.send(guest, `/documents/${id}/respond-agreement`, form)).status).toBe(200);
    expect(await party(owner, guest)).toEqual(['one_image_twice']);
    expect(await party(guest, guest)).toBeUndefined();
  });

  it('as signature of two parties is reported, and not if the same person uses it in two documents', async () => {
    const form = await verificationForm();
    putPhotos(form, twice[14]!, await sharp(twice[14]).flop().jpeg().toBuffer());
    form.set(
      'sign',
      new Blob([new Uint8Array(await signaturePng(2))], { type: 'image/png' }),
      'signature.png',
    );
    expect((await api.send(other, `/documents/${id}/self-verify-approve`, form)).status).toBe(200);
    expect(await party(owner, other)).toEqual(['shared_image']);
    // The creator signed the first document with the same file: a typed name gives the same image each time.
    expect(await party(owner, owner)).toBeUndefined();
  });
});

describe('the eyes of both photos', () => {
  const looks = (sign: 1 | -1): number[] =>
    Array.from({ length: 576 }, (_, i) => ((i * 37) % 41) - 20 * sign);
  const photosTo = async (viewer: WorldUser, id: string) => {
    const { body } = await api.call(viewer, 'GET', `/documents/${id}/events`);
    const events = listIn<{ actor_id: string; photos?: Record<string, unknown> }>(body);
    return events.findLast(({ actor_id, photos }) => actor_id === guest.userId && photos)?.photos;
  };
  let id: string;
  beforeAll(async () => {
    id = (await api.create(owner)).id;
    await api.call(owner, 'POST', '/documents/initiate-agreement', {
      document_id: id,
      target_user_char_id: guest.charId,
    });
  });
  const approve = async (eyes: Record<'faces' | 'eyes', number[][]>) => {
    api.vision.eyes = eyes;
    const form = await verificationForm();
    putPhotos(form, faces[2]!, faces[6]!);
    const { status } = await api.send(guest, `/documents/${id}/self-verify-approve`, form);
    delete api.vision.eyes;
    return status;
  };

  it('that differ are reported to the creator, recorded with a score, and block nothing', async () => {
    const unlike = looks(1).map((value) => -value);
    expect(await approve({ faces: [looks(1)], eyes: [unlike] })).toBe(200);
    const { body } = await api.call(owner, 'GET', `/documents/${id}`);
    const party = (body['parties'] as { user_id: string; photo_hints?: string[] }[]).find(
      ({ user_id }) => user_id === guest.userId,
    );
    expect(party?.photo_hints).toContain('eyes_differ');
    expect(await photosTo(owner, id)).toMatchObject({ eye_agreement: 0 });
    expect(Object.keys((await photosTo(guest, id)) ?? {})).toEqual(['profile_pic', 'eye', 'sign']);
  });

  it('that look alike appear in the record only', async () => {
    const other = (await api.create(owner)).id;
    id = other;
    await api.call(owner, 'POST', '/documents/initiate-agreement', {
      document_id: id,
      target_user_char_id: guest.charId,
    });
    expect(await approve({ faces: [looks(-1), looks(1)], eyes: [looks(1)] })).toBe(200);
    const { body } = await api.call(owner, 'GET', `/documents/${id}`);
    const hints = (body['parties'] as { photo_hints?: string[] }[]).flatMap(
      ({ photo_hints = [] }) => photo_hints,
    );
    expect(hints).not.toContain('eyes_differ');
    expect(await photosTo(owner, id)).toMatchObject({ eye_agreement: 100 });
  });
});
