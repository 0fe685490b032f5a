/** Notifications of unread messages: once, and not of a stranger's, a blocked user's or very old ones. */
import { randomUUID } from 'node:crypto';
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { messagingEvents } from '@karaar/contracts/messaging/events';
import type { Envelope, EventData } from '@karaar/contracts/kit';
import type { WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { readConfig } from '../src/config.ts';
import { publishLeftUnread } from '../src/features/unread-notifications/unread-notifications.worker.ts';
import { startApi, type Api } from './api.ts';

type Left = Envelope<EventData<typeof messagingEvents.leftUnread>>;

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
let meera: WorldUser;

beforeAll(async () => {
  api = await startApi('unread-notifications');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [asha, vikram, meera] = await api.people();
  await acquaint(asha, vikram, meera);
});

/** Makes the users share a document, which each joined by an act of their own. */
async function acquaint(...people: WorldUser[]): Promise<void> {
  const [document_id, ids] = [randomUUID(), people.map(({ userId }) => userId)];
  await api.publish(
    documentsEvents.changed,
    {
      document_id,
      status: 'pending',
      primary_user: ids[0] ?? '',
      involved_users: ids,
      acquainted_users: ids,
    },
    { aggregateId: document_id },
  );
  const pairs = people.length * (people.length - 1);
  await until('they share a document', async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM threads WHERE user_id = ANY(${ids}::uuid[]) AND shared_documents > 0`.execute(
      api.service.foundation.db,
    );
    return rows[0]?.count === pairs;
  });
}

async function sendAgo(minutes: number, from: WorldUser, to: WorldUser): Promise<void> {
  const { body } = await api.send(from, to, 'Did you get the draft?');
  await sql`
    UPDATE messages SET created_at = now() - ${minutes} * interval '1 minute' WHERE id = ${String(body['message_id'])}`.execute(
    api.service.foundation.db,
  );
}
const look = (): Promise<number> =>
  publishLeftUnread({ ...api.service.foundation, config: readConfig(api.world.env) });
async function read(reader: WorldUser, other: WorldUser): Promise<void> {
  const up_to_seq = Math.max(...(await api.conversation(reader, other)).map(({ seq }) => seq));
  const answer = await api.call(reader, 'POST', `/messaging/conversations/${other.userId}/read`, {
    up_to_seq,
  });
  expect(answer.status).toBe(200);
}
/** Expects the events about unread messages: recipient and sender, in order. */
async function expectEvents(expected: [reader: WorldUser, other: WorldUser][]): Promise<void> {
  const ours = new Set([asha, vikram, meera].map(({ userId }) => userId));
  const events = async () =>
    (await messagesOf<Left>(api.world.natsUrl, 'EVT_MESSAGING'))
      .filter(({ type, data }) => type === 'messaging.messages.left-unread' && ours.has(data.user_id))
      .map(({ data }) => [data.user_id, data.other_id]);
  await until('the events are published', async () => (await events()).length >= expected.length);
  expect(await events()).toEqual(expected.map(([reader, other]) => [reader.userId, other.userId]));
}

it('notifies the recipient once, and again only after the recipient has read the messages', async () => {
  await sendAgo(31, asha, vikram);
  expect(await look()).toBe(1);
  await sendAgo(31, asha, vikram);
  expect(await look()).toBe(0);
  await expectEvents([[vikram, asha]]);
  await read(vikram, asha);
  await sendAgo(31, asha, vikram);
  expect(await look()).toBe(1);
  await expectEvents([
    [vikram, asha],
    [vikram, asha],
  ]);
});

it('counts the time from the oldest unread message, however often the other writes', async () => {
  await sendAgo(31, asha, vikram);
  await sendAgo(1, asha, vikram);
  await sendAgo(29, asha, meera);
  expect(await look()).toBe(1);
  await expectEvents([[vikram, asha]]);
});

it('skips read messages, those of a blocked user, and those that are days old', async () => {
  await sendAgo(31, asha, vikram);
  await read(vikram, asha);
  await sendAgo(31, meera, vikram);
  expect((await api.call(vikram, 'POST', `/messaging/blocks/${meera.userId}`)).status).toBeLessThan(300);
  await sendAgo(2 * 24 * 60, vikram, asha);
  expect(await look()).toBe(2);
  expect(await look()).toBe(0);
  await sendAgo(31, asha, meera);
  await look();
  await expectEvents([[meera, asha]]);
});

it('skips a stranger to whom the recipient has not written, until the recipient writes', async () => {
  const stranger = await api.world.addUser('Win 5000 now');
  await sendAgo(31, stranger, vikram);
  expect(await look()).toBe(1);
  await read(vikram, stranger);
  await sendAgo(1, vikram, stranger);
  await sendAgo(31, stranger, vikram);
  await look();
  await expectEvents([[vikram, stranger]]);
});

it('notifies once when several processes run at the same time', async () => {
  await sendAgo(31, asha, vikram);
  expect((await Promise.all([look(), look(), look()])).sort()).toEqual([0, 0, 1]);
  await expectEvents([[vikram, asha]]);
});
