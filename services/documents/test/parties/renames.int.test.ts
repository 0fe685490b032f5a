import { jest } from '@jest/globals';
import { listIn } from '@karaar/testing/list-in';
import { textOf } from '@karaar/testing/pdf-judges';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { startApi, verificationForm, type Api } from '../api.ts';
import { approvedBy } from '../approved.ts';

jest.setTimeout(120_000);

let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-renames');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
});

type Line = { type: string; actor_name: string; subject_name: string | null; detail: string };
const history = async (id: string): Promise<Line[]> =>
  listIn<Line>((await api.call(owner, 'GET', `/documents/${id}/events`)).body);
const renamesOf = async (id: string) => (await history(id)).filter(({ type }) => type === 'party.renamed');
const renamedIn = async (id: string, count = 1) => {
  await until('a line for the new name', async () => (await renamesOf(id)).length === count);
};

it('seals the name under which a party approved, and the rename as a line of its own', async () => {
  const id = await approvedBy(api, owner, guest);
  await api.world.rename(guest, 'Rohan Mehta');
  await renamedIn(id);
  await api.world.rename(owner, 'Asha Kulkarni');
  await renamedIn(id, 2);

  const lines = await history(id);
  const nameOf = (type: string) => lines.find((line) => line.type === type);
  expect(nameOf('party.accepted')?.actor_name).toBe('Vikram Shah');
  expect(nameOf('party.invited')).toMatchObject({ actor_name: 'Asha Rao', subject_name: 'Vikram Shah' });
  expect(nameOf('document.approved')?.actor_name).toBe('Asha Rao');
  expect(await renamesOf(id)).toMatchObject([
    {
      actor_name: 'Rohan Mehta',
      detail: 'Changed the name of the account from “Vikram Shah” to “Rohan Mehta”',
    },
    { actor_name: 'Asha Kulkarni', detail: expect.stringContaining('“Asha Rao” to “Asha Kulkarni”') },
  ]);
  const { body } = await api.call(owner, 'GET', `/documents/${id}`);
  expect(body['status']).toBe('approved');
  expect(body['parties']).toMatchObject([
    { name: 'Asha Kulkarni', approved_as: 'Asha Rao' },
    { name: 'Rohan Mehta', approved_as: 'Vikram Shah' },
  ]);

  await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
  await until('sealed', async () => {
    const now = await api.call(owner, 'GET', `/documents/${id}`);
    return now.body['status'] === 'finalized';
  });
  const answer = await fetch(`${api.url}/documents/${id}/final-pdf`, { headers: owner.headers });
  const text = (await textOf(new Uint8Array(await answer.arrayBuffer()))).replace(/\s+/g, ' ');
  const printed = (name: string) => text.split(name).length - 1;
  expect(printed('Vikram Shah')).toBeGreaterThan(3);
  // Once as the actor of the rename and once in its text; the creator also started the finalization.
  expect(printed('Rohan Mehta')).toBe(2);
  expect(printed('Asha Kulkarni')).toBe(3);

  await api.world.rename(guest, 'Third Name');
  await api.world.rename(owner, 'Another Name');
  await until('the directory knows', async () => {
    const user = await api.service.foundation.db
      .selectFrom('directory')
      .select('name')
      .where('user_id', '=', owner.userId)
      .executeTakeFirst();
    return user?.name === 'Another Name';
  });
  const sealed = await history(id);
  expect(sealed.slice(0, lines.length)).toEqual(lines);
  expect(sealed.some(({ detail }) => /Third|Another/.test(detail))).toBe(false);
});

it('publishes a rename to the other parties, once per open document, and not for drafts', async () => {
  const { id } = await api.create(owner);
  const other = await approvedBy(api, owner, guest);
  await api.world.rename(owner, 'Asha Kulkarni');
  await renamedIn(id);
  await renamedIn(other);
  const { rows } = await sql<{ aggregate_id: string; data: Record<string, unknown> }>`
    SELECT aggregate_id, data FROM outbox
    WHERE aggregate_id IN (${id}, ${other}) AND data->>'change' = 'party.renamed'`.execute(
    api.service.foundation.db,
  );
  expect(rows.map((row) => row.aggregate_id).sort()).toEqual([id, other].sort());
  expect(rows[0]?.data).toMatchObject({ actor_id: owner.userId, subject_id: null });
  await api.world.rename(owner, 'Asha Kulkarni');
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
  expect(await renamesOf(id)).toHaveLength(1);
});

it('records a rename with the next act, if that precedes the event', async () => {
  const { id } = await api.create(owner);
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
  await sql`UPDATE directory SET name = 'Rohan Mehta', version = 9 WHERE user_id = ${guest.userId}`.execute(
    api.service.foundation.db,
  );
  const form = await verificationForm({ response: 'accept' }, true);
  expect((await api.send(guest, `/documents/${id}/respond-agreement`, form)).status).toBe(200);
  const lines = (await history(id)).map(({ type, actor_name, subject_name }) => [
    type,
    actor_name,
    subject_name,
  ]);
  expect(lines.slice(-3)).toEqual([
    ['party.invited', 'Asha Rao', 'Vikram Shah'],
    ['party.renamed', 'Rohan Mehta', null],
    ['party.accepted', 'Rohan Mehta', null],
  ]);
});

it('erases the names of a person who is no longer in an agreement', async () => {
  const { id } = await api.create(owner);
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
  await api.call(owner, 'DELETE', `/documents/${id}/remove-user/${guest.userId}`);
  await api.world.deleteUser(guest);
  const names = () =>
    api.service.foundation.db
      .selectFrom('party_names')
      .select('user_id')
      .where('document_id', '=', id)
      .execute();
  await until('erased', async () => (await names()).every(({ user_id }) => user_id !== guest.userId));
  expect(await names()).toEqual([{ user_id: owner.userId }]);
});
