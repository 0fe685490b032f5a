import { jest } from '@jest/globals';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { askedToAnswer } from '../../src/features/parties/rhythm.repository.ts';
import { remindByRhythm } from '../../src/features/parties/rhythm.worker.ts';
import { queueStartReminders } from '../../src/features/text-messages/text-messages.repository.ts';
import { startApi, verificationForm, type Api } from '../api.ts';
import { workerContext } from './worker-context.ts';

jest.setTimeout(60_000);

const NOON = new Date('2027-03-07T06:30:00Z');
const NIGHT = new Date('2027-03-06T21:00:00Z');
let api: Api;
let owner: WorldUser;
let guest: WorldUser;
let id: string;

beforeAll(async () => {
  api = await startApi('documents-rhythm');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  // Earlier tests left messages.
  await sql`UPDATE text_messages SET created_at = now() - interval '90 days'`.execute(db());
  owner = await api.world.addUser('Asha Rao');
  guest = await api.world.addUser('Vikram Shah');
  ({ id } = await api.create(owner));
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
});

const db = () => api.service.foundation.db;
const run = (now = NOON) => remindByRhythm(workerContext(api), now);
const later = (days: number) =>
  sql`UPDATE text_messages SET created_at = created_at - ${days}::int * interval '1 day' WHERE document_id = ${id}`.execute(
    db(),
  );
const reminders = async () => {
  const { rows } =
    await sql`SELECT 1 FROM text_messages WHERE document_id = ${id} AND kind = 'reminder'`.execute(db());
  return rows.length;
};
const reminderEvents = async () => {
  const { rows } = await sql<{ data: Record<string, unknown> }>`
    SELECT data FROM outbox WHERE aggregate_id = ${id} AND data->>'change' = 'party.reminded'`.execute(db());
  return rows.map(({ data }) => data);
};

it('reminds after three and after seven days, once each, also with two concurrent processes', async () => {
  await run();
  expect(await reminders()).toBe(0);
  await later(3);
  await Promise.all([run(), run(), run()]);
  await run();
  expect(await reminders()).toBe(1);
  // The notification and an e-mail show it as a request by the creator.
  expect(await reminderEvents()).toEqual([
    expect.objectContaining({ actor_id: owner.userId, subject_id: guest.userId, status: 'pending' }),
  ]);
  const { body } = await api.call(owner, 'GET', `/documents/${id}/events`);
  expect(JSON.stringify(body)).toContain('Karaar reminded Vikram Shah');
  await later(4);
  await run();
  expect(await reminders()).toBe(2);
  await later(7);
  await run();
  expect(await reminders()).toBe(2);
});

it('does not send at night', async () => {
  await later(3);
  expect(await run(NIGHT)).toBe(0);
  expect(await reminders()).toBe(0);
});

it('does not remind users who have answered, or who were reminded by hand within a day', async () => {
  const second = await api.world.addUser('Meera Nair');
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: second.charId });
  await later(3);
  expect((await api.call(owner, 'POST', `/documents/${id}/remind/${second.userId}`)).status).toBe(200);
  const form = await verificationForm({ response: 'accept' }, true);
  expect((await api.send(guest, `/documents/${id}/respond-agreement`, form)).status).toBe(200);
  await run();
  expect(await reminders()).toBe(1);
});

it('counts from the time when the link of an invitation was opened', async () => {
  const phone = '+919812345678';
  const stranger = await api.world.addUser('Arun Pillai', { phone });
  const { body } = await api.call(owner, 'POST', `/documents/${id}/invitations`, {
    contact: phone,
    send: false,
  });
  const token = String(body['link']).slice(-32);
  expect((await api.call(stranger, 'POST', '/documents/invitations/accept', { token })).status).toBe(200);
  await later(3);
  await run();
  await until('both wait', async () => (await reminders()) === 2);
});

const choose = (reminders: string, by = owner, document = id) =>
  api.call(by, 'PUT', `/documents/${document}/reminders`, { reminders });

it('reminds once if the creator has chosen gentle reminders, and never if they are off', async () => {
  expect(await choose('gentle')).toEqual({ status: 200, body: { reminders: 'gentle' } });
  await later(3);
  await run();
  expect(await reminders()).toBe(0);
  await later(4);
  await run();
  expect(await reminders()).toBe(1);

  ({ id } = await api.create(owner));
  await api.call(owner, 'POST', `/documents/${id}/add-user`, { target_user_char_id: guest.charId });
  await choose('off');
  for (const days of [3, 4]) {
    await later(days);
    await run();
  }
  expect(await reminders()).toBe(0);
  expect((await api.call(owner, 'POST', `/documents/${id}/remind/${guest.userId}`)).status).toBe(200);
});

it('with gentle reminders, reminds only on the answer-by date, and once before the start', async () => {
  const [NEAR, DAY] = ['2027-03-05', '2027-03-07'];
  await sql`UPDATE parties SET answer_by = ${DAY} WHERE document_id = ${id} AND user_id = ${guest.userId}`.execute(
    db(),
  );
  await sql`UPDATE documents SET start_date = '2027-03-10' WHERE id = ${id}`.execute(db());
  await later(30);
  const due = async (today: string) =>
    (await askedToAnswer(db(), today, 10_000)).filter(({ document_id }) => document_id === id).length;
  const started = async (days: number, today: string) => {
    await queueStartReminders(db(), today, { days, gently: days === 1 });
    const { rows } =
      await sql`SELECT 1 FROM text_messages WHERE document_id = ${id} AND kind = 'starts_soon'`.execute(db());
    return rows.length;
  };
  expect([await due(NEAR), await due(DAY)]).toEqual([1, 1]);
  await choose('off');
  expect([await due(NEAR), await due(DAY)]).toEqual([0, 0]);
  expect([await started(3, '2027-03-07'), await started(1, '2027-03-09')]).toEqual([0, 0]);
  await choose('gentle');
  expect([await due(NEAR), await due(DAY)]).toEqual([0, 1]);
  expect(await started(3, '2027-03-07')).toBe(0);
  expect(await started(1, '2027-03-09')).toBe(2);
});

it('lets only the creator choose and read the setting, and refuses unknown values', async () => {
  const stranger = await api.world.addUser('Mallory');
  for (const other of [guest, stranger]) expect((await choose('off', other)).status).toBe(403);
  expect((await api.call(undefined, 'PUT', `/documents/${id}/reminders`, { reminders: 'off' })).status).toBe(
    401,
  );
  expect((await choose('hourly')).status).toBe(422);
  expect((await choose('off', owner, '0193a1b2-0000-7000-8000-000000000001')).status).toBe(404);
  const seen = async (by: WorldUser) => (await api.call(by, 'GET', `/documents/${id}`)).body;
  expect(await seen(owner)).toMatchObject({ reminders: 'usual' });
  expect(await seen(guest)).not.toHaveProperty('reminders');
  await sql`UPDATE documents SET finalizing = true WHERE id = ${id}`.execute(db());
  expect((await choose('off')).status).toBe(409);
});
