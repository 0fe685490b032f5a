import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { listIn } from '@karaar/testing/list-in';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { documentForm, startApi, verificationForm, type Answer, type Api } from '../api.ts';

jest.setTimeout(60_000);

/** ISO 8601 in UTC. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-agreement');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('विक्रम शाह');
}, 120_000);
afterAll(() => api.stop());
beforeEach(() => {
  api.vision.verdict = 'ok';
});

const get = (user: WorldUser, id: string) => api.call(user, 'GET', `/documents/${id}`);
const statusOf = async (id: string) => (await get(owner, id)).body['status'];
const invite = (id: string, user = guest) =>
  api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: id,
    target_user_char_id: user.charId,
  });
/** Sends the ID in lower case, as a user may type it. */
const add = (id: string, user = guest) =>
  api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: user.charId.toLowerCase() });
const remove = (id: string, user: WorldUser) =>
  api.call(owner, 'DELETE', `/documents/${id}/remove-user/${user.userId}`);
const approve = (id: string) => api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`);
const accept = async (id: string, user = guest) =>
  api.send(user, `/documents/${id}/respond-agreement`, await verificationForm({ response: 'accept' }, true));
const reject = (id: string, user = guest) => {
  const form = new FormData();
  form.append('response', 'reject');
  return api.send(user, `/documents/${id}/respond-agreement`, form);
};
/** The hash of an image that each test verification sends. */
const sha256Of = async (part: string) => {
  const image = (await verificationForm({}, true)).get(part) as Blob;
  return createHash('sha256')
    .update(Buffer.from(await image.arrayBuffer()))
    .digest('hex');
};
const pendingOf = async (user: WorldUser) =>
  listIn<{ document_id: string }>((await api.call(user, 'GET', '/documents/pending-agreements')).body);

describe('creating', () => {
  it('[DOC-024] [DOC-025] [DOC-094] [DOC-026] [DOC-027] [DOC-034] [DOC-035] [DOC-093] [PAY-026] [PROFILE-025] returns code and id, and the document contains everything that was sent', async () => {
    const { id, code } = await api.create(owner);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { status, body } = await get(owner, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      _id: id,
      document_id: id,
      name: 'Rent agreement',
      document_code: code,
      status: 'pending',
      blockchain: false,
      location: 'Pune',
      start_date: '2026-03-01',
      end_date: '2026-03-07',
      description: 'Two rooms',
      page_details: [{ page_no: 1, description: 'Terms' }],
      final_docs: [],
      final_files: [],
      primary_user: owner.userId,
      involved_users: [owner.userId],
      user_approvals: { [owner.userId]: { approved: false, approved_at: null, is_primary: true } },
      total_amount: 7,
      created_at: expect.stringMatching(MOMENT),
      upload_raw_docs: [expect.stringMatching(/^\/api\/files\//)],
    });
  });

  it('[DOC-024] [DOC-115] verifies the creator by the images in the request, so that the creator can approve without a further step', async () => {
    const { id } = await api.create(owner);
    const { body } = await get(owner, id);
    expect(body['parties']).toMatchObject([{ user_id: owner.userId, state: 'primary', verified: true }]);
    const kept = await api.service.foundation.db
      .selectFrom('verifications')
      .select(['user_id', 'profile_pic_sha256', 'eye_sha256', 'sign_sha256'])
      .where('document_id', '=', id)
      .execute();
    expect(kept).toEqual([
      {
        user_id: owner.userId,
        profile_pic_sha256: await sha256Of('profile_pic'),
        eye_sha256: await sha256Of('eye'),
        sign_sha256: await sha256Of('sign'),
      },
    ]);
    expect((await approve(id)).status).toBe(200);
    expect(await statusOf(id)).toBe('approved');
  });

  it('[DOC-028] [DOC-030] [DOC-031] names the invalid field', async () => {
    const faults: [string, (form: FormData) => void][] = [
      ['name', (form) => form.set('name', '')],
      ['name', (form) => form.set('name', '   ')],
      ['page_details', (form) => form.set('page_details', 'no json')],
      ['page_details', (form) => form.set('page_details', '[{"page_no":0,"description":""}]')],
      ['page_details', (form) => form.set('page_details', '{"page_no":1}')],
      ['start_date', (form) => form.set('start_date', '2026-02-30')],
      ['end_date', (form) => form.set('end_date', '2026-02-01')],
      ['profile_pic', (form) => form.delete('profile_pic')],
      ['sign', (form) => form.delete('sign')],
      ['eye', (form) => form.delete('eye')],
      ['raw_documents', (form) => form.delete('raw_documents')],
    ];
    for (const [loc, spoil] of faults) {
      const form = await documentForm();
      spoil(form);
      refused(await api.send(owner, '/documents/create', form), 422, loc);
    }
  });

  it('removes bidirectional control characters from names and texts', async () => {
    const { id } = await api.create(owner, (form) => {
      form.set('name', 'Rent \u202egnp.exe\u202c\nof a flat');
      form.set('description', '₹\u202e000,01\nTwo rooms');
      form.set('page_details', JSON.stringify([{ page_no: 1, description: '\u2067Terms' }]));
    });
    expect((await get(owner, id)).body).toMatchObject({
      name: 'Rent gnp.exe of a flat',
      description: '₹000,01\nTwo rooms',
      page_details: [{ page_no: 1, description: 'Terms' }],
    });
    const form = await documentForm({ name: '\u202e \u2066' });
    expect((await api.send(owner, '/documents/create', form)).status).toBe(422);
  });

  it('[DOC-029] refuses files that cannot become pages, judging by content, and names them', async () => {
    const files: [string, Blob][] = [
      ['empty.pdf', new Blob([])],
      ['broken.pdf', new Blob(['%PDF-1.7 nothing follows'])],
      ['script.png', new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'])],
      ['notes.txt', new Blob(['just text'])],
      ['program.docx', new Blob([new Uint8Array([0x4d, 0x5a, 0x90, 0])])],
    ];
    for (const [name, content] of files) {
      const form = await documentForm();
      form.append('raw_documents', content, name);
      const answer = await api.send(owner, '/documents/create', form);
      refused({ name, ...answer }, 422, 'raw_documents');
      expect(JSON.stringify(answer.body['detail'])).toContain(name);
    }
  });

  it('[CAPTURE-048] [CAPTURE-049] sends the images to vision itself, and stores nothing if vision refuses or is down', async () => {
    const before = listIn<unknown>((await api.call(owner, 'GET', '/documents/my-documents')).body);
    for (const [verdict, status, text] of [
      ['no_face', 422, 'No face detected. Please retake.'],
      ['no_eye', 422, 'No eye detected. Please retake.'],
      ['down', 503, 'not available'],
    ] as const) {
      api.vision.verdict = verdict;
      const answer = await api.send(owner, '/documents/create', await documentForm());
      expect(answer.status).toBe(status);
      expect(JSON.stringify(answer.body['detail'])).toContain(text);
    }
    const after = listIn<unknown>((await api.call(owner, 'GET', '/documents/my-documents')).body);
    expect(after).toHaveLength(before.length);
  });

  it('requires a complete profile', async () => {
    const newcomer = await api.world.addUser('New', { profileComplete: false });
    const { status, body } = await api.send(newcomer, '/documents/create', await documentForm());
    expect(status).toBe(403);
    expect(body['detail']).toBe('Please complete your basic profile information first');
  });
});

describe('two parties', () => {
  it.each<[string, string, (id: string) => Promise<Answer>]>([
    ['[DOC-032] [DOC-110]', 'initiate-agreement', (id) => invite(id)],
    ['[DOC-075] [DOC-110]', 'add-user', (id) => add(id)],
  ])('%s %s invites: the user is involved, is asked, and has not approved', async (_rows, _call, ask) => {
    const { id } = await api.create(owner);
    const asked = await ask(id);
    expect(asked).toEqual({ status: 200, body: { message: expect.stringMatching(/\p{L}/u) } });
    expect((await pendingOf(guest)).map((document) => document.document_id)).toContain(id);
    const read = (await get(guest, id)).body;
    expect(read).toMatchObject({
      status: 'pending',
      involved_users: [owner.userId, guest.userId],
      user_approvals: { [guest.userId]: { approved: false, approved_at: null, is_primary: false } },
    });
    expect(read['parties']).toContainEqual(
      expect.objectContaining({ user_id: guest.userId, state: 'invited', approved: false, verified: false }),
    );
    // The creator's approval does not count as the guest's.
    expect((await approve(id)).body).toMatchObject({
      status: 'pending_approval',
      user_approvals: { [guest.userId]: { approved: false, approved_at: null } },
    });
  });

  it('[DASH-023] [DOC-111] approves by accepting with all four images', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    expect(await accept(id)).toEqual({ status: 200, body: { message: 'You accepted the agreement.' } });
    expect((await pendingOf(guest)).map((document) => document.document_id)).not.toContain(id);
    const read = (await get(guest, id)).body;
    expect(read['user_approvals']).toMatchObject({
      [owner.userId]: { approved: false, approved_at: null },
      [guest.userId]: { approved: true, approved_at: expect.stringMatching(MOMENT), is_primary: false },
    });
    expect(read['parties']).toContainEqual(
      expect.objectContaining({ user_id: guest.userId, state: 'approved', approved: true, verified: true }),
    );
  });

  it('[DOC-065] [DOC-101] records the primary’s approval with its time, and as the last one it approves the document', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    await accept(id);
    expect(await statusOf(id)).toBe('pending');
    const before = Date.now();
    const { status, body } = await approve(id);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'approved' } });
    const { approved, approved_at, is_primary } = (
      body['user_approvals'] as Record<string, Record<string, unknown>>
    )[owner.userId]!;
    expect({ approved, is_primary }).toEqual({ approved: true, is_primary: true });
    expect(Math.abs(Date.parse(String(approved_at)) - before)).toBeLessThan(10_000);
    expect((await get(guest, id)).body['user_approvals']).toEqual(body['user_approvals']);
  });

  it('[DASH-021] lists under my documents only those that the caller created or is involved in', async () => {
    const nila = await api.world.addUser('Nila Iyer');
    const mine = async () =>
      listIn<{ _id: string }>((await api.call(nila, 'GET', '/documents/my-documents')).body)
        .map(({ _id }) => _id)
        .toSorted();
    expect(await mine()).toEqual([]);
    const [own, shared] = [await api.create(nila), await api.create(owner)];
    await api.create(owner);
    await invite(shared.id, nila);
    expect(await mine()).toEqual([own.id, shared.id].toSorted());
    expect((await remove(shared.id, nila)).status).toBe(200);
    expect(await mine()).toEqual([own.id]);
  });

  it('[DASH-024] [DASH-025] refuses to accept without an image or with an unknown word, and changes nothing', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    const respond = `/documents/${id}/respond-agreement`;
    for (const gone of ['profile_pic', 'thumb', 'sign', 'eye']) {
      const form = await verificationForm({ response: 'accept' }, true);
      form.delete(gone);
      expect({ gone, ...(await api.send(guest, respond, form)) }).toMatchObject({
        status: 422,
        body: { detail: [{ loc: 'response', msg: 'Please upload all required verification documents' }] },
      });
    }
    for (const response of ['maybe', 'Accept', '']) {
      const form = await verificationForm({ response }, true);
      refused({ response, ...(await api.send(guest, respond, form)) }, 422, 'response');
    }
    expect(await statusOf(id)).toBe('pending');
    expect((await pendingOf(guest)).map((document) => document.document_id)).toContain(id);
  });

  it('[DASH-022] [DASH-018] rejects without images, which makes the document rejected; inviting again reopens it', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    expect((await reject(id)).body).toEqual({ message: 'You rejected the agreement.' });
    expect(await statusOf(id)).toBe('rejected');
    expect((await approve(id)).status).toBe(409);
    expect((await invite(id)).status).toBe(200);
    expect(await statusOf(id)).toBe('pending');
  });

  it('[CAPTURE-041] [CAPTURE-042] [CAPTURE-043] [DOC-112] lets both parties verify and approve themselves', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    const self = (user: WorldUser, thumb: boolean) =>
      verificationForm({}, thumb).then((form) =>
        api.send(user, `/documents/${id}/self-verify-approve`, form),
      );
    const approvals = async () => {
      const { status, user_approvals } = (await get(owner, id)).body;
      const flags = user_approvals as Record<string, { approved: boolean }>;
      return [status, flags[owner.userId]?.approved, flags[guest.userId]?.approved];
    };
    expect(await approvals()).toEqual(['pending', false, false]);
    expect((await self(guest, true)).status).toBe(200);
    expect(await approvals()).toEqual(['pending', false, true]);
    expect((await self(owner, false)).status).toBe(200);
    expect(await approvals()).toEqual(['approved', true, true]);
    // The guest sent a fingerprint, and the creator did not.
    const kept = await api.service.foundation.db
      .selectFrom('verifications')
      .select(['user_id', 'thumb', 'thumb_sha256'])
      .where('document_id', '=', id)
      .execute();
    const of = (user: WorldUser) => kept.find((row) => row.user_id === user.userId);
    expect(of(guest)).toMatchObject({
      thumb: expect.any(String),
      thumb_sha256: await sha256Of('thumb'),
    });
    expect(of(owner)).toMatchObject({ thumb: null, thumb_sha256: null });
  });

  it('[CAPTURE-047] [CAPTURE-048] [CAPTURE-049] requires all images for self-verification, with a face and an eye', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    for (const gone of ['profile_pic', 'sign', 'eye']) {
      const form = await verificationForm();
      form.delete(gone);
      refused(await api.send(guest, `/documents/${id}/self-verify-approve`, form), 422, gone);
    }
    for (const [verdict, image] of [
      ['no_face', 'profile_pic'],
      ['no_eye', 'eye'],
    ] as const) {
      api.vision.verdict = verdict;
      const form = await verificationForm();
      refused(await api.send(guest, `/documents/${id}/self-verify-approve`, form), 422, image);
      refused(await accept(id), 422, image);
    }
    expect((await get(owner, id)).body['user_approvals']).toMatchObject({
      [guest.userId]: { approved: false },
    });
  });

  it('[DOC-078] shows a removed user only the stub', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    expect((await remove(id, guest)).status).toBe(200);
    expect((await get(owner, id)).body['involved_users']).toEqual([owner.userId]);
    expect((await get(guest, id)).body).not.toHaveProperty('document_code');
    expect((await pendingOf(guest)).map((document) => document.document_id)).not.toContain(id);
  });

  it('[DOC-079] refuses to remove the primary', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    refused(await remove(id, owner), 400);
    expect((await get(owner, id)).body).toMatchObject({
      primary_user: owner.userId,
      involved_users: [owner.userId, guest.userId],
    });
  });

  it('[DOC-106] [DOC-107] makes the document rejected after a reject, and pending after the removal of the user who rejected', async () => {
    const { id } = await api.create(owner);
    const third = await api.world.addUser('Meera Nair');
    await invite(id);
    await invite(id, third);
    expect((await reject(id)).status).toBe(200);
    expect(await statusOf(id)).toBe('rejected');
    // The removal of another party does not undo a rejection.
    expect((await remove(id, third)).status).toBe(200);
    expect(await statusOf(id)).toBe('rejected');
    expect((await remove(id, guest)).status).toBe(200);
    expect((await get(owner, id)).body).toMatchObject({
      status: 'pending',
      involved_users: [owner.userId],
    });
  });

  it('[DOC-109] takes one of a concurrent accept and reject, and responds 409 to the other', async () => {
    const { id } = await api.create(owner);
    await invite(id);
    const answers = await Promise.all([accept(id), reject(id), accept(id), reject(id)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    for (const answer of answers) if (answer.status === 409) refused(answer, 409);
    const accepted = answers.findIndex(({ status }) => status === 200) % 2 === 0;
    expect((await get(owner, id)).body).toMatchObject({
      status: accepted ? 'pending' : 'rejected',
      user_approvals: { [guest.userId]: { approved: accepted } },
    });
  });
});

describe('joining by code', () => {
  it('[DOC-077] [DOC-085] [DOC-089] [DOC-095] [DOC-120] [DOC-113] waits for the primary, shows nothing before that, and requires the user’s approval afterwards', async () => {
    const { id, code } = await api.create(owner);
    const joined = await api.send(
      guest,
      '/documents/join',
      await verificationForm({ document_code: code.toLowerCase() }),
    );
    expect(joined.status).toBe(202);
    expect((await get(guest, id)).body).toEqual({
      _id: id,
      document_id: id,
      name: 'Rent agreement',
      status: 'pending',
      primary_user_name: 'Asha Rao',
    });
    expect(await pendingOf(guest)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ document_id: id })]),
    );
    const seen = (await get(owner, id)).body;
    expect(seen['involved_users']).toEqual([owner.userId]);
    expect(seen['parties']).toContainEqual(
      expect.objectContaining({ user_id: guest.userId, state: 'requested' }),
    );
    for (let time = 0; time < 2; time += 1)
      expect((await api.call(owner, 'PUT', `/documents/${id}/approve-user/${guest.userId}`)).status).toBe(
        200,
      );
    const read = (await get(guest, id)).body;
    expect(read).toMatchObject({
      document_code: code,
      upload_raw_docs: [expect.stringMatching(/\S/)],
      involved_users: [owner.userId, guest.userId],
      user_approvals: { [guest.userId]: { approved: false, approved_at: null } },
    });
    expect(read['parties']).toContainEqual(
      expect.objectContaining({ user_id: guest.userId, state: 'admitted', approved: false, verified: true }),
    );
    expect(await pendingOf(guest)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ document_id: id })]),
    );
    const own = await api.call(guest, 'PUT', `/documents/${id}/approve/${guest.userId}`, {
      content_hash: read['content_hash'],
    });
    expect(own).toMatchObject({
      status: 200,
      body: { user_approvals: { [guest.userId]: { approved: true } } },
    });
  });

  it('shows for a code only the stub, and refuses for the same reasons as joining', async () => {
    const { id, code } = await api.create(owner);
    const lookUp = (user: WorldUser, document_code: string) =>
      api.call(user, 'POST', '/documents/join/look-up', { document_code });
    expect(await lookUp(guest, code.toLowerCase())).toEqual({
      status: 200,
      body: {
        _id: id,
        document_id: id,
        name: 'Rent agreement',
        status: 'pending',
        primary_user_name: 'Asha Rao',
      },
    });
    const devanagari = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit)));
    for (const typed of [
      `${code.slice(0, 4)} ${code.slice(4)}`,
      ` ${code.slice(0, 4)}-${code.slice(4)}`,
      devanagari,
    ])
      expect(await lookUp(guest, typed)).toMatchObject({ status: 200, body: { document_id: id } });
    expect(await lookUp(owner, code)).toMatchObject({ status: 409, body: { code: 'already_party' } });
    // A look-up counts towards the same limit as joining.
    const guesser = await api.world.addUser('Meera Nair');
    for (let miss = 0; miss < 10; miss++) expect((await lookUp(guesser, 'ZZZZZZZZ')).status).toBe(404);
    expect((await lookUp(guesser, code)).status).toBe(429);
    const join = await verificationForm({ document_code: code });
    expect((await api.send(guesser, '/documents/join', join)).status).toBe(429);
  });

  it('[DOC-086] [DOC-087] [CAPTURE-048] [CAPTURE-049] refuses an unknown code, missing images, and images without a face or an eye', async () => {
    const { code } = await api.create(owner);
    const join = async (change: (form: FormData) => void) => {
      const form = await verificationForm({ document_code: code });
      change(form);
      return api.send(guest, '/documents/join', form);
    };
    refused(await join((form) => form.set('document_code', 'ZZZZZZZZ')), 404);
    for (const gone of ['document_code', 'profile_pic', 'sign', 'eye'])
      refused(await join((form) => form.delete(gone)), 422, gone);
    for (const [verdict, image] of [
      ['no_face', 'profile_pic'],
      ['no_eye', 'eye'],
    ] as const) {
      api.vision.verdict = verdict;
      refused(await join(() => undefined), 422, image);
    }
  });
});
