/** Several reminders of a user in one e-mail: none lost, none twice, none in quiet hours. */
import { randomUUID } from 'node:crypto';
import { until } from '@karaar/testing/until';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { MAX_BATCH } from '../src/features/digests/digests.repository.ts';
import { startApi, type Api } from './api.ts';

const refused = new Map<string, number>();
let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
beforeAll(async () => {
  api = await startApi(
    'notifications-digests',
    { refusal: (address) => refused.get(address) },
    {
      REMINDERS_BATCH_MIN: '600',
    },
  );
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  refused.clear();
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah');
});

const db = () => api.service.foundation.db;
type Row = {
  id: string;
  state: string;
  reason: string | null;
  leader_id: string | null;
  attempts: number;
  document_id: string;
};
const rows = async (user = vikram): Promise<Row[]> => {
  const { rows: found } = await sql<Row>`
    SELECT d.id, d.state, d.reason, d.leader_id, d.attempts, n.document_id
    FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${user.userId} ORDER BY d.id`.execute(db());
  return found;
};
/**
 * Publishes `count` reminders for the user, automatic ones if there is no actor, and waits until all are
 * stored.
 */
async function remind(count: number, user = vikram, actor?: WorldUser): Promise<string[]> {
  const before = (await rows(user)).length;
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const document_id of ids)
    await api.change({
      document_id,
      change: 'party.reminded',
      actor_id: actor?.userId ?? null,
      subject_id: user.userId,
    });
  await until('they are written', async () => (await rows(user)).length === before + count);
  return ids;
}
const endBatching = () => sql`UPDATE deliveries SET due_at = now() WHERE state = 'queued'`.execute(db());
const statesOf = async (user = vikram) => (await rows(user)).map(({ state }) => state);
const ended = (state: string, user = vikram) =>
  until(`all are ${state}`, async () => (await statesOf(user)).every((one) => one === state));

it("puts a user's reminders into one e-mail, without those of another user", async () => {
  const meera = await api.world.addUser('Meera Nair');
  const ids = await remind(3);
  const [other] = await remind(1, meera);
  expect(await statesOf()).toEqual(['queued', 'batched', 'batched']);
  expect(api.mailsTo(vikram)).toEqual([]);
  await endBatching();
  await ended('sent');
  await ended('sent', meera);
  const [mail] = api.mailsTo(vikram);
  expect(api.mailsTo(vikram)).toHaveLength(1);
  expect(mail).toMatchObject({ subject: '3 answers of yours are awaited', arrivals: 1 });
  for (const id of ids) expect(mail?.text.split(`http://karaar.test/document/${id}`)).toHaveLength(2);
  expect(mail?.text).not.toContain(String(other));
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
});

it('sends a reminder by hand at once, and leaves the batched ones waiting', async () => {
  await remind(2);
  const [byHand] = await remind(1, vikram, asha);
  await until('the one by hand is sent', async () => (await statesOf()).includes('sent'));
  expect(await statesOf()).toEqual(['queued', 'batched', 'sent']);
  const mails = api.mailsTo(vikram);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain(`http://karaar.test/document/${byHand}`);
});

it('begins another e-mail after one has gone out, and when one is full', async () => {
  await remind(1);
  await endBatching();
  await ended('sent');
  expect(api.mailsTo(vikram)[0]?.subject).toBe('Your answer is awaited');
  await remind(MAX_BATCH + 1);
  expect((await statesOf()).filter((state) => state === 'queued')).toHaveLength(2);
  await endBatching();
  await ended('sent');
  expect(api.mailsTo(vikram)).toHaveLength(3);
});

it('batches reminders published at the same moment under one leader', async () => {
  const events = Array.from({ length: 8 }, () =>
    api.change({
      document_id: randomUUID(),
      change: 'party.reminded',
      actor_id: null,
      subject_id: vikram.userId,
    }),
  );
  await Promise.all(events);
  await until('all are written', async () => (await rows()).length === 8);
  expect((await rows()).filter(({ leader_id }) => leader_id === null)).toHaveLength(1);
});

it('sends the same e-mail with the same reminders again if the outcome is unknown', async () => {
  await remind(2);
  await endBatching();
  await ended('sent');
  const [first] = api.mailsTo(vikram);
  // The state after a process died between the server's answer and its own update. Then another reminder
  // comes.
  await sql`UPDATE deliveries SET state = CASE WHEN leader_id IS NULL THEN 'sending' ELSE 'batched' END,
    lease_until = now() + interval '1 hour', ended_at = NULL
    WHERE notification_id IN (SELECT id FROM notifications WHERE user_id = ${vikram.userId})`.execute(db());
  const [late] = await remind(1);
  await sql`UPDATE deliveries SET lease_until = now() WHERE state = 'sending'`.execute(db());
  await until('a second arrival', async () => api.mailsTo(vikram)[0]?.arrivals === 2);
  const [again] = api.mailsTo(vikram);
  expect(api.mailsTo(vikram)).toHaveLength(1);
  expect([again?.id, again?.text]).toEqual([first?.id, first?.text]);
  expect(again?.text).not.toContain(String(late));
  expect((await rows()).at(-1)).toMatchObject({ state: 'queued', leader_id: null });
});

it('leaves out reminders that were read in the app and sends the rest, even if the first was read', async () => {
  const ids = await remind(3);
  const { notifications } = await api.inbox(vikram);
  const first = notifications.find(({ document_id }) => document_id === ids[0]);
  await api.call(vikram, 'POST', `/notifications/${first?._id}/read`);
  await endBatching();
  await until('all have ended', async () => (await statesOf()).every((one) => /sent|skipped/.test(one)));
  expect(await statesOf()).toEqual(['skipped', 'sent', 'sent']);
  const [mail] = api.mailsTo(vikram);
  expect(mail?.subject).toBe('2 answers of yours are awaited');
  expect(mail?.text).not.toContain(ids[0]);
  expect(api.mailsTo(vikram)).toHaveLength(1);
});

it('an e-mail of several reminders fails as a whole if the address is refused, and is retried as a whole if the server is busy', async () => {
  const address = `${vikram.charId.toLowerCase()}@example.org`;
  refused.set(address, 451);
  await remind(2);
  await endBatching();
  await until('an attempt', async () => (await rows())[0]?.attempts === 1);
  await until('it waits again', async () => (await rows())[0]?.reason === "the server's answer: later");
  expect(await statesOf()).toEqual(['queued', 'batched']);
  refused.set(address, 550);
  await endBatching();
  await ended('failed');
});

it('an e-mail waits for the end of quiet hours that have begun meanwhile, without counting an attempt', async () => {
  await remind(2);
  const hour = new Date(Date.now() + 5.5 * 3_600_000).getUTCHours();
  const quiet_hours = { from: hour, until: (hour + 23) % 24 };
  await api.call(vikram, 'PATCH', '/notifications/settings', { quiet_hours });
  await endBatching();
  await until('it is put off', async () => (await rows())[0]?.reason === 'quiet hours');
  expect((await rows())[0]).toMatchObject({ state: 'queued', attempts: 0 });
  expect(api.mailsTo(vikram)).toEqual([]);
  await api.call(vikram, 'PATCH', '/notifications/settings', { quiet_hours: null });
  await endBatching();
  await ended('sent');
  expect(api.mailsTo(vikram)).toHaveLength(1);
});
