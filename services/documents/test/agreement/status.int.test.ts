/** How requests change a document's status, as callers see it. races.slow.ts plays random sequences. */
import { jest } from '@jest/globals';
import { listIn } from '@karaar/testing/list-in';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { documentForm, draftForm, startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let third: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-status');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  third = await api.world.addUser('Meera Nair');
}, 120_000);
afterAll(() => api.stop());

const get = async (id: string) => (await api.call(owner, 'GET', `/documents/${id}`)).body;
const statusOf = async (id: string) => (await get(id))['status'];
const approve = (id: string) => api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`);
const invite = (id: string, user: WorldUser) =>
  api.call(owner, 'POST', '/documents/initiate-agreement', {
    document_id: id,
    target_user_char_id: user.charId,
  });
const answer = async (id: string, user: WorldUser, response: 'accept' | 'reject') =>
  api.send(user, `/documents/${id}/respond-agreement`, await verificationForm({ response }, true));
const isAsked = async (user: WorldUser, id: string) =>
  listIn<{ document_id: string }>((await api.call(user, 'GET', '/documents/pending-agreements')).body).some(
    (document) => document.document_id === id,
  );

it('[DOC-096] [DOC-036] makes a document with files and a named party pending at once, its creator first', async () => {
  const { id } = await api.create(owner);
  await invite(id, guest);
  await invite(id, third);
  const document = await get(id);
  expect(document['status']).toBe('pending');
  expect(document['primary_user']).toBe(owner.userId);
  expect(document['involved_users']).toEqual([owner.userId, guest.userId, third.userId]);
});

it('[DOC-100] [DOC-102] [DOC-103] [DOC-105] [DOC-064] becomes approved with the last involved user’s approval, and waits again for an added user', async () => {
  const { id } = await api.create(owner);
  await invite(id, guest);
  await invite(id, third);
  expect(await statusOf(id)).toBe('pending');
  expect((await approve(id)).body['status']).toBe('pending_approval');
  expect((await answer(id, guest, 'accept')).status).toBe(200);
  expect(await statusOf(id)).toBe('pending_approval');
  expect((await answer(id, third, 'accept')).status).toBe(200);
  expect(await statusOf(id)).toBe('approved');

  expect(await approve(id)).toMatchObject({
    status: 409,
    body: { detail: 'This document is already approved.' },
  });
  const fourth = await api.world.addUser('Nila Iyer');
  expect((await invite(id, fourth)).status).toBe(200);
  expect(await statusOf(id)).toBe('pending_approval');
});

it('[DOC-037] serves an uploaded file unchanged under its stored path', async () => {
  const { id } = await api.create(owner);
  const [path] = (await get(id))['upload_raw_docs'] as string[];
  // The gateway adds the prefix /api.
  const answer = await fetch(`${api.url}${String(path).replace('/api', '')}`);
  const sent = (await documentForm()).get('raw_documents') as Blob;
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(await sent.arrayBuffer()));
});

it('[DOC-066] refuses the creator’s approval without a raw document', async () => {
  const { id } = await api.create(owner);
  // No request leaves a document without files, so the test deletes the row.
  await api.service.foundation.db.deleteFrom('raw_files').where('document_id', '=', id).execute();
  expect(await approve(id)).toMatchObject({
    status: 400,
    body: { code: 'upload_first', detail: 'Please upload the document(s) first before approving.' },
  });
  expect(await get(id)).toMatchObject({
    status: 'pending',
    user_approvals: { [owner.userId]: { approved: false } },
  });

  const form = await draftForm({ save_as_draft: 'true' });
  form.delete('raw_documents');
  const draft = String((await api.send(owner, '/documents/create', form)).body['document_id']);
  refused(await approve(draft), 409);
  expect(await statusOf(draft)).toBe('draft');
});

it('[DOC-114] refuses to admit a user who has not verified', async () => {
  const { id } = await api.create(owner);
  await invite(id, guest);
  const answer = await api.call(owner, 'PUT', `/documents/${id}/approve-user/${guest.userId}`);
  refused(answer, 409);
  expect(answer.body['code']).toBe('not_verified');
  expect((await get(id))['parties']).toContainEqual(
    expect.objectContaining({ user_id: guest.userId, state: 'invited', approved: false }),
  );
});

it('[DASH-013] lists a request for an invited user while pending or pending_approval, and never for the creator', async () => {
  const { id } = await api.create(owner);
  expect(await isAsked(guest, id)).toBe(false);
  await invite(id, guest);
  expect(await statusOf(id)).toBe('pending');
  expect([await isAsked(guest, id), await isAsked(owner, id)]).toEqual([true, false]);
  await approve(id);
  expect(await statusOf(id)).toBe('pending_approval');
  expect([await isAsked(guest, id), await isAsked(owner, id)]).toEqual([true, false]);
  await invite(id, third);
  await answer(id, third, 'reject');
  expect(await statusOf(id)).toBe('rejected');
  expect(await isAsked(guest, id)).toBe(false);
});

it.each(['accept', 'reject'] as const)(
  '[DASH-029] does not list a request after an answer with %s, nor a request of the user’s own',
  async (word) => {
    const { id, code } = await api.create(owner);
    await invite(id, guest);
    await invite(id, third);
    expect(await isAsked(guest, id)).toBe(true);
    expect((await answer(id, guest, word)).status).toBe(200);
    expect(await isAsked(guest, id)).toBe(false);

    const joiner = await api.world.addUser('Ravi Menon');
    const other = word === 'accept' ? { id, code } : await api.create(owner);
    const form = await verificationForm({ document_code: other.code });
    expect((await api.send(joiner, '/documents/join', form)).status).toBe(202);
    expect(await isAsked(joiner, other.id)).toBe(false);
  },
);
