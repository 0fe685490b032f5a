import { jest } from '@jest/globals';
import { exportRpc } from '@karaar/contracts/personal-data';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { approvedBy } from './approved.ts';
import { startApi, verificationForm, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-archive');
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
}, 120_000);
afterAll(() => api.stop());

const archive = (user: WorldUser | undefined, id: string) =>
  api.call(user, 'PUT', `/documents/${id}/archive`);
const restore = (user: WorldUser | undefined, id: string) =>
  api.call(user, 'DELETE', `/documents/${id}/archive`);
const listed = async (user: WorldUser, query = '?archived=false') => {
  const { body } = await api.call(user, 'GET', `/documents/my-documents/page${query}`);
  return (body['items'] as { document_id: string }[]).map(({ document_id }) => document_id);
};
const counts = async (user: WorldUser) =>
  (await api.call(user, 'GET', '/documents/my-documents/counts')).body;

it('hides a document from the list and the counts of one user, until the user restores it', async () => {
  const id = await approvedBy(api, owner, guest);
  expect((await archive(guest, id)).status).toBe(200);
  expect([await listed(guest), await listed(guest, '?archived=true')]).toEqual([[], [id]]);
  expect(await listed(guest, '?archived=true&search=rent')).toEqual([id]);
  expect(await listed(guest, '?search=rent')).toEqual([id]);
  // [DASH-021] names every document of the caller.
  const all = listIn<{ document_id: string }>((await api.call(guest, 'GET', '/documents/my-documents')).body);
  expect(all.map(({ document_id }) => document_id)).toEqual([id]);
  expect(await listed(guest, '?archived=true&status=draft')).toEqual([]);
  expect(await counts(guest)).toMatchObject({ total: 0, approved: 0, archived: 1 });
  expect(await listed(owner)).toEqual([id]);
  expect(await counts(owner)).toMatchObject({ total: 1, approved: 1, archived: 0 });
  // A change of the document does not restore it.
  await api.call(owner, 'PUT', `/documents/${id}/reminders`, { reminders: 'off' });
  await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
  expect([await listed(guest), await listed(guest, '?archived=true')]).toEqual([[], [id]]);

  expect((await restore(guest, id)).status).toBe(200);
  expect([await listed(guest), await listed(guest, '?archived=true')]).toEqual([[id], []]);
  expect(await counts(guest)).toMatchObject({ total: 1, archived: 0 });
});

it('is part of the export of the user who archived', async () => {
  const id = await approvedBy(api, owner, guest);
  await archive(guest, id);
  const exported = async ({ userId }: WorldUser) =>
    JSON.stringify(await api.world.ask(exportRpc.documents, { user_id: userId, cursor: null }, 'auth'));
  expect(await exported(guest)).toContain('"archived":true');
  expect(await exported(owner)).not.toContain('"archived":true');
});

it('is refused with a text while the document needs the user', async () => {
  const { id } = await api.create(owner);
  const needs = {
    status: 409,
    body: {
      code: 'needs_you',
      detail: 'This document needs you. Complete your task in it first, then archive it.',
    },
  };
  expect(await archive(owner, id)).toEqual(needs);
  const invitation = { document_id: id, target_user_char_id: guest.charId };
  await api.call(owner, 'POST', '/documents/initiate-agreement', invitation);
  expect(await archive(guest, id)).toEqual(needs);
  expect(await listed(guest)).toContain(id);
  const sealable = await approvedBy(api, owner, guest);
  expect(await archive(owner, sealable)).toEqual(needs);
});

it('is refused while the share of the user is unpaid, and allowed to a party whose share is not', async () => {
  const third = await api.world.addUser('Meera Nair');
  const id = await approvedBy(api, owner, guest);
  api.payments.owing.set(id, [guest.userId]);
  expect(await archive(guest, id)).toMatchObject({ status: 409, body: { code: 'needs_you' } });
  expect(await listed(guest)).toContain(id);
  api.payments.owing.set(id, [owner.userId, third.userId]);
  expect((await archive(guest, id)).status).toBe(200);
});

it('is refused for users who are not involved, admins and signed-out callers, and changes nothing', async () => {
  const stranger = await api.world.addUser('Meera Nair');
  const id = await approvedBy(api, owner, guest);
  const { id: other, code } = await api.create(owner);
  await api.send(stranger, '/documents/join', await verificationForm({ document_code: code }));
  for (const act of [archive, restore]) {
    for (const theirs of [id, other])
      expect(await act(stranger, theirs)).toMatchObject({ status: 403, body: { code: 'not_involved' } });
    expect((await act(stranger, '01a20dd2-5423-75d2-a10b-34fe2b6fad11')).status).toBe(404);
    expect((await act(undefined, id)).status).toBe(401);
  }
  for (const role of ['super-admin', 'support', 'editor'] as const)
    for (const method of ['PUT', 'DELETE']) {
      const headers = await api.world.adminHeaders(role);
      expect((await fetch(`${api.url}/documents/${id}/archive`, { method, headers })).status).toBe(403);
    }
  expect(await listed(guest)).toContain(id);
});

it('is possible while payments is away, without knowing of an unpaid share', async () => {
  const id = await approvedBy(api, owner, guest);
  await api.payments.stop();
  expect((await archive(guest, id)).status).toBe(200);
  expect(await listed(guest)).not.toContain(id);
});

it('stays in the list of work once the document needs the user again', async () => {
  const id = await approvedBy(api, owner, guest);
  expect((await archive(guest, id)).status).toBe(200);
  const work = async () => JSON.stringify((await api.call(guest, 'GET', '/documents/work')).body['mine']);
  expect(await work()).not.toContain(id);
  const joiner = await api.world.addUser('Meera Nair');
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: joiner.charId });
  expect(await work()).toContain(id);
  expect(await listed(guest)).not.toContain(id);
});
