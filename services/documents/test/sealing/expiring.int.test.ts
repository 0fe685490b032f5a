import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { publishExpiring } from '../../src/features/expiring/expiring.worker.ts';
import { startApi, type Api } from '../api.ts';

jest.setTimeout(60_000);

const NOON = new Date('2027-03-07T06:30:00Z');
let api: Api;
let owner: WorldUser;
let guest: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-expiring');
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
}, 120_000);
afterAll(() => api.stop());

const db = () => api.service.foundation.db;
async function sealed(end: string, status = 'finalized'): Promise<string> {
  const { id } = await api.create(owner, (form) => {
    form.set('start_date', '2026-04-01');
    form.set('end_date', end);
  });
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
  await sql`UPDATE documents SET status = ${status}, final_path = 'f', finalized_at = now() - interval '2 days' WHERE id = ${id}`.execute(
    db(),
  );
  return id;
}
const expiringEvents = async (id: string) => {
  const { rows } = await sql<{ data: unknown }>`
    SELECT data FROM outbox WHERE type = ${documentsEvents.expiring.type} AND aggregate_id = ${id}`.execute(
    db(),
  );
  return rows.map(({ data }) => data);
};

it('is published once, to the involved users, also by two concurrent processes', async () => {
  const id = await sealed('2027-04-06');
  const { foundation } = api.service;
  expect(await publishExpiring(foundation, new Date('2027-03-06T21:00:00Z'))).toBe(0);
  await Promise.all([publishExpiring(foundation, NOON), publishExpiring(foundation, NOON)]);
  await publishExpiring(foundation, new Date('2027-03-08T06:30:00Z'));
  expect(await expiringEvents(id)).toEqual([
    { document_id: id, primary_user: owner.userId, involved_users: [owner.userId, guest.userId] },
  ]);
});

it('is not published for agreements that end later, ended long ago or are not sealed', async () => {
  const others = [
    await sealed('2027-04-07'),
    await sealed('2027-03-20'),
    await sealed('2027-04-06', 'approved'),
  ];
  await publishExpiring(api.service.foundation, NOON);
  for (const id of others) expect(await expiringEvents(id)).toEqual([]);
});
