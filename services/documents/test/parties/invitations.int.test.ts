import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { listPeople } from '../../src/features/personal-data/personal-data.service.ts';
import { startApi, verificationForm, type Api } from '../api.ts';

jest.setTimeout(60_000);

const LIMIT = 4;
let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-invitations', { INVITATIONS_PER_USER_AND_DAY: String(LIMIT) });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
});

const db = () => api.service.foundation.db;
const invite = (id: string, user: WorldUser) =>
  api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: user.charId });
const remove = (id: string, user: WorldUser) =>
  api.call(owner, 'DELETE', `/documents/${id}/remove-user/${user.userId}`);
const latestEventData = async (id: string) => {
  const { rows } = await sql<{ data: { involved_users: string[]; acquainted_users: string[] } }>`
    SELECT data FROM outbox WHERE aggregate_id = ${id} ORDER BY aggregate_version DESC LIMIT 1`.execute(db());
  return rows[0]?.data;
};
const floods = async () => {
  const { rows } = await sql<{ data: unknown }>`
    SELECT data FROM outbox WHERE type = ${documentsEvents.invitationsFlooded.type}
      AND data->>'user_id' = ${owner.userId}`.execute(db());
  return rows.map(({ data }) => data);
};
const people = async (id: string) => {
  const { documents } = await listPeople(api.service.foundation, null);
  return documents.find(({ document_id }) => document_id === id)?.people.sort();
};

it('publishes an invited user as involved, and as sharing the document after accepting', async () => {
  const { id } = await api.create(owner);
  await invite(id, guest);
  const both = [owner.userId, guest.userId];
  expect(await latestEventData(id)).toMatchObject({ involved_users: both, acquainted_users: [owner.userId] });
  expect(await people(id)).toEqual([owner.userId]);
  const form = await verificationForm({ response: 'accept' }, true);
  expect((await api.send(guest, `/documents/${id}/respond-agreement`, form)).status).toBe(200);
  expect(await latestEventData(id)).toMatchObject({ involved_users: both, acquainted_users: both });
  expect(await people(id)).toEqual([...both].sort());
});

it('refuses more invitations than the daily limit, also concurrent and repeated ones, and reports it to the admins once', async () => {
  const { id } = await api.create(owner);
  for (let i = 1; i < LIMIT; i += 1) {
    expect((await invite(id, guest)).status).toBe(200);
    expect((await remove(id, guest)).status).toBe(200);
  }
  const others = await Promise.all(['A', 'B', 'C'].map((name) => api.world.addUser(name)));
  const answers = await Promise.all(others.map((other) => invite(id, other)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  expect(answers.find(({ status }) => status === 429)?.body).toEqual({
    code: 'too_many_invitations',
    detail: expect.stringMatching(/invite again in 24 hours/),
  });
  expect(await floods()).toEqual([{ user_id: owner.userId, invitations: LIMIT }]);
  const { body } = await api.call(owner, 'GET', `/documents/${id}`);
  expect(body['involved_users']).toHaveLength(2);

  await sql`UPDATE invitations SET at = at - interval '25 hours' WHERE user_id = ${owner.userId}`.execute(
    db(),
  );
  expect((await invite(id, guest)).status).toBe(200);
});

it('does not count the admission of a user who asked to join', async () => {
  const { id, code } = await api.create(owner);
  for (let i = 0; i < LIMIT; i += 1) {
    await invite(id, guest);
    await remove(id, guest);
  }
  const joiner = await api.world.addUser('Joiner');
  const form = await verificationForm({ document_code: code });
  expect((await api.send(joiner, '/documents/join', form)).status).toBe(202);
  expect((await invite(id, guest)).status).toBe(429);
  expect((await invite(id, joiner)).status).toBe(200);
});
