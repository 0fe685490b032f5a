/** A user's own labels on documents. */
import { jest } from '@jest/globals';
import { exportRpc } from '@karaar/contracts/personal-data';
import { inTransaction } from '@karaar/db';
import type { WorldUser } from '@karaar/testing/service-world';
import { eraseRows } from '../src/features/personal-data/personal-data.repository.ts';
import { startApi, verificationForm, type Api } from './api.ts';
import { approvedBy } from './approved.ts';

jest.setTimeout(60_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let id: string;

beforeAll(async () => {
  api = await startApi('documents-labels');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [owner, guest] = [await api.world.addUser('Asha Rao'), await api.world.addUser('Vikram Shah')];
  id = await approvedBy(api, owner, guest);
});

const set = (user: WorldUser | undefined, labels: unknown, document = id) =>
  api.call(user, 'PUT', `/documents/${document}/labels`, { labels });
const own = async (user: WorldUser) =>
  (
    (await api.call(user, 'GET', '/documents/labels')).body['labels'] as { name: string; documents: number }[]
  ).map(({ name, documents }) => [name, documents]);
const rename = (user: WorldUser, name: string, new_name: string) =>
  api.call(user, 'PATCH', '/documents/labels', { name, new_name });
const remove = (user: WorldUser, name: string) =>
  api.call(user, 'DELETE', `/documents/labels?name=${encodeURIComponent(name)}`);
const shown = async (user: WorldUser, document = id) =>
  (await api.call(user, 'GET', `/documents/${document}`)).body['labels'];
const listed = async (user: WorldUser, query = '') => {
  const { body } = await api.call(user, 'GET', `/documents/my-documents/page${query}`);
  return (body['items'] as { document_id: string; labels?: string[] }[]).map(({ document_id, labels }) => [
    document_id,
    labels,
  ]);
};

it('are set on a document, shown in the list and on its page, and filter the list, for the user alone', async () => {
  const other = await approvedBy(api, owner, guest);
  expect(await set(owner, [' Shop  rent ', 'किराया'])).toEqual({
    status: 200,
    body: { labels: ['Shop rent', 'किराया'] },
  });
  await set(owner, ['shop RENT'], other);
  expect(await own(owner)).toEqual([
    ['Shop rent', 2],
    ['किराया', 1],
  ]);
  expect([await shown(owner), await shown(owner, other)]).toEqual([['Shop rent', 'किराया'], ['Shop rent']]);
  expect(await listed(owner, '?label=Shop%20rent')).toEqual([
    [other, ['Shop rent']],
    [id, ['Shop rent', 'किराया']],
  ]);
  expect(await listed(owner, `?label=${encodeURIComponent('किराया')}&search=rent`)).toEqual([
    [id, ['Shop rent', 'किराया']],
  ]);
  expect(await listed(owner, '?label=Nothing')).toEqual([]);
  expect([await own(guest), await shown(guest), await listed(guest, '?label=Shop%20rent')]).toEqual([
    [],
    undefined,
    [],
  ]);
  await set(owner, []);
  expect([await shown(owner), await own(owner)]).toEqual([undefined, [['Shop rent', 1]]]);
});

it('stay when the document changes, and go with the party', async () => {
  await set(guest, ['Flat']);
  await api.call(owner, 'PUT', `/documents/${id}/reminders`, { reminders: 'off' });
  const joiner = await api.world.addUser('Meera Nair');
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: joiner.charId });
  expect(await shown(guest)).toEqual(['Flat']);
  expect(
    (await api.call(guest, 'POST', `/documents/${id}/withdraw`, { reason: 'Another flat' })).status,
  ).toBe(200);
  expect(await own(guest)).toEqual([]);
});

it('are renamed and deleted on all documents; with the name of another one both become one', async () => {
  const other = await approvedBy(api, owner, guest);
  await set(owner, ['Rent', 'Shop']);
  await set(owner, ['Shop'], other);
  await set(guest, ['Shop']);
  expect((await rename(owner, 'Rent', 'RENT')).body).toMatchObject({
    labels: [{ name: 'RENT' }, { name: 'Shop' }],
  });
  expect((await rename(owner, 'Shop', 'rent')).body).toEqual({ labels: [{ name: 'RENT', documents: 2 }] });
  expect((await remove(owner, 'RENT')).body).toEqual({ labels: [] });
  expect([await shown(owner), await own(guest)]).toEqual([undefined, [['Shop', 1]]]);
  const unknown = { status: 404, body: { code: 'label_not_found' } };
  expect([await rename(owner, 'RENT', 'x'), await remove(owner, 'Shop')]).toMatchObject([unknown, unknown]);
});

it('are at most 20 of a user with 30 letters, and 5 of a document; concurrent changes do not exceed that', async () => {
  expect((await set(owner, ['a', 'b', 'c', 'd', 'e', 'f'])).status).toBe(422);
  for (const wrong of [['a'.repeat(31)], [''], ['  '], [7], 'a', undefined])
    expect((await set(owner, wrong)).status).toBe(422);
  expect((await set(owner, ['a'.repeat(30)])).status).toBe(200);
  const documents = [id];
  for (let count = 0; count < 4; count += 1) documents.push((await api.create(owner)).id);
  const answers = await Promise.all(
    documents.map((document, at) =>
      set(
        owner,
        Array.from({ length: 5 }, (_, of) => `${at} ${of}`),
        document,
      ),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 422]);
  expect(answers).toContainEqual(
    expect.objectContaining({ status: 422, body: expect.objectContaining({ code: 'too_many_labels' }) }),
  );
  expect(await own(owner)).toHaveLength(20);
  expect((await rename(owner, '0 0', 'b'.repeat(31))).status).toBe(422);
});

it('are refused for users who are not involved, admins and signed-out callers', async () => {
  const stranger = await api.world.addUser('Meera Nair');
  const { id: joined, code } = await api.create(owner);
  await api.send(stranger, '/documents/join', await verificationForm({ document_code: code }));
  for (const theirs of [id, joined])
    expect(await set(stranger, ['Mine'], theirs)).toMatchObject({
      status: 403,
      body: { code: 'not_involved' },
    });
  expect((await set(stranger, ['Mine'], '01a20dd2-5423-75d2-a10b-34fe2b6fad11')).status).toBe(404);
  expect((await set(undefined, ['Mine'])).status).toBe(401);
  for (const role of ['super-admin', 'support', 'editor'] as const)
    for (const [method, path] of [
      ['GET', 'labels'],
      ['PATCH', 'labels'],
      ['DELETE', 'labels?name=x'],
      ['PUT', `${id}/labels`],
    ] as const) {
      const headers = await api.world.adminHeaders(role);
      expect((await fetch(`${api.url}/documents/${path}`, { method, headers })).status).toBe(403);
    }
  expect(await own(stranger)).toEqual([]);
});

it('are part of the export of their user, and end with the account', async () => {
  await set(guest, ['Flat', 'Rent']);
  const exported = async ({ userId }: WorldUser) =>
    (await api.world.ask(exportRpc.documents, { user_id: userId, cursor: null }, 'auth')).items;
  expect(await exported(guest)).toContainEqual(expect.objectContaining({ labels: ['Flat', 'Rent'] }));
  expect(JSON.stringify(await exported(owner))).not.toContain('Flat');
  const { db } = api.service.foundation;
  await inTransaction(db, (tx) => eraseRows(tx, guest.userId));
  expect(await own(guest)).toEqual([]);
});
