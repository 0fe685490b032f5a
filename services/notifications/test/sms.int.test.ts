/** Notifications by SMS: who gets one, at most once, within the limits, and what the sender sees of it. */
import { randomUUID } from 'node:crypto';
import { authEvents } from '@karaar/contracts/auth/events';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { exportRpc } from '@karaar/contracts/personal-data';
import { reportSms } from '@karaar/testing/providers/sms';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { startApi, type Api } from './api.ts';

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
beforeAll(async () => {
  api = await startApi('notifications-sms', undefined, { TEXTS_PER_RECEIVER_AND_DAY: '3' });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  api.sms.mode = 'ok';
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah');
});

const db = () => api.service.foundation.db;
const rows = async ({ userId }: WorldUser) => {
  const { rows: found } = await sql<{ state: string; reason: string | null; attempts: number; due_at: Date }>`
    SELECT d.state, d.reason, d.attempts, d.due_at FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${userId} AND d.channel = 'sms' ORDER BY d.id`.execute(db());
  return found;
};
const states = async (user: WorldUser) => (await rows(user)).map(({ state }) => state);
const ended = (user: WorldUser, ...expected: string[]) =>
  until(
    `the SMS are ${expected}`,
    async () => (await states(user)).sort().join() === expected.toSorted().join(),
  );
const smsTo = async ({ userId }: WorldUser) => {
  const found = await db()
    .selectFrom('directory')
    .select('phone_no')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return api.sms.to(found?.phone_no ?? '').map(({ text }) => text);
};
/** Asha approves, and it is Vikram's turn. */
const giveTurn = (document_id = randomUUID(), id?: string) =>
  api.change(
    {
      document_id,
      change: 'document.approved',
      primary_user: asha.userId,
      actor_id: asha.userId,
      awaited_users: [vikram.userId],
    },
    id,
  );
const setShare = (user: WorldUser) =>
  api.world.publish(paymentsEvents.sharesChanged, {
    document_id: randomUUID(),
    set_by: asha.userId,
    shares: [{ user_id: user.userId, amount_paise: 33_500 }],
  });
const choose = (user: WorldUser, kind: string, wanted: boolean) =>
  api.call(user, 'PATCH', '/notifications/settings', { preferences: [{ kind, channel: 'sms', wanted }] });
const inApp = (user: WorldUser, count: number) =>
  until(`${count} in the app`, async () => (await api.inbox(user)).notifications.length === count);
/** Expires the leases, as if the worker of each SMS under way had died. */
const expire = () =>
  sql`UPDATE deliveries SET lease_until = now() - interval '1 second' WHERE state = 'sending'`.execute(db());

it("tells the awaited party once that it is the party's turn, in the party's language, with a link", async () => {
  vikram = await api.world.addUser('Vikram Shah', { language: 'hi' });
  const document = randomUUID();
  const event = await giveTurn(document);
  await ended(vikram, 'sent');
  await giveTurn(document, event);
  await setShare(vikram);
  await ended(vikram, 'sent', 'sent');
  const [turn, share] = await smsTo(vikram);
  expect(turn).toContain('अब आपकी बारी है');
  expect(turn?.endsWith(`: http://karaar.test/document/${document}`)).toBe(true);
  expect(share).toContain('Rs 335.00');
  expect(await smsTo(vikram)).toHaveLength(2);
  expect(await smsTo(asha)).toEqual([]);
});

it('sends no SMS for an invitation, which documents sends, nor for kinds that are off until they are chosen', async () => {
  await api.change({ change: 'party.invited', actor_id: asha.userId, subject_id: vikram.userId });
  const signIn = () =>
    api.world.publish(authEvents.sessionOpened, { user_id: vikram.userId, session_id: randomUUID() });
  await signIn();
  await choose(vikram, 'your_turn', false);
  await giveTurn();
  await inApp(vikram, 3);
  expect(await states(vikram)).toEqual([]);
  await choose(vikram, 'new_sign_in', true);
  await signIn();
  await ended(vikram, 'sent');
  expect(await smsTo(vikram)).toEqual([expect.stringContaining('http://karaar.test/profile')]);
});

it('sends no second SMS on a day to a party who was asked to approve the document, or invited to it', async () => {
  const [turn, other, invited] = [randomUUID(), randomUUID(), randomUUID()];
  await giveTurn(turn);
  await ended(vikram, 'sent');
  await giveTurn(turn);
  await ended(vikram, 'sent', 'skipped');
  await api.change({
    document_id: invited,
    change: 'party.invited',
    actor_id: asha.userId,
    subject_id: vikram.userId,
  });
  await inApp(vikram, 3);
  await giveTurn(invited);
  await ended(vikram, 'sent', 'skipped', 'skipped');
  await giveTurn(other);
  await ended(vikram, 'sent', 'sent', 'skipped', 'skipped');
  await sql`UPDATE notifications SET created_at = created_at - interval '1 day'`.execute(db());
  await giveTurn(turn);
  await ended(vikram, 'sent', 'sent', 'sent', 'skipped', 'skipped');
});

it('warns of a download of the data by SMS at any hour, and refuses to switch that off', async () => {
  expect((await choose(vikram, 'data_exported', false)).status).toBe(400);
  await api.call(vikram, 'PATCH', '/notifications/settings', { quiet_hours: allDay() });
  await api.world.publish(authEvents.dataExported, { user_id: vikram.userId });
  await ended(vikram, 'sent');
  expect(await smsTo(vikram)).toHaveLength(1);
});

it('limits the SMS to one receiver within a day, except warnings, and no sender sees it', async () => {
  const documents = Array.from({ length: 5 }, () => randomUUID());
  await Promise.all(documents.map((id) => giveTurn(id)));
  await ended(vikram, 'sent', 'sent', 'sent', 'skipped', 'skipped');
  expect(await smsTo(vikram)).toHaveLength(3);
  const seen = await Promise.all(
    documents.map(async (id) => {
      const { body } = await api.call(asha, 'GET', `/notifications/deliveries/${id}`);
      return (body as { channel: string; state: string }[]).filter(({ channel }) => channel === 'sms');
    }),
  );
  expect(seen.flat().map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  await api.world.publish(authEvents.dataExported, { user_id: vikram.userId });
  await until('the warning', async () => (await smsTo(vikram)).length === 4);
  await sql`UPDATE deliveries SET counted_at = counted_at - interval '1 day'`.execute(db());
  await giveTurn();
  await until('the next day’s', async () => (await smsTo(vikram)).length === 5);
});

it('neither loses nor doubles an SMS after a crash: one that the provider has is not sent again', async () => {
  api.sms.mode = 'mute'; // accepts the SMS, and the connection breaks before the response
  await giveTurn();
  await until('the provider has it', async () => (await smsTo(vikram)).length === 1);
  api.sms.mode = 'ok';
  await until('it is on record', async () => {
    await expire();
    return (await states(vikram))[0] === 'sent';
  });
  expect(await smsTo(vikram)).toHaveLength(1);
  // The state after a worker died before it called the provider.
  await giveTurn();
  await ended(vikram, 'sent', 'sent');
  api.sms.sent.pop();
  await sql`UPDATE deliveries SET state = 'sending', lease_until = now(), ended_at = NULL
    WHERE id = (SELECT id FROM deliveries WHERE channel = 'sms' ORDER BY id DESC LIMIT 1)`.execute(db());
  await until('it is sent', async () => (await smsTo(vikram)).length === 2);
  await ended(vikram, 'sent', 'sent');
});

it('waits for a provider that is away without counting attempts, and gives up a number that it refuses', async () => {
  api.sms.mode = 'busy';
  await giveTurn();
  await until('it waits after an attempt that is not counted', async () => {
    const [waiting] = await rows(vikram);
    return waiting?.state === 'queued' && waiting.reason !== null && waiting.attempts === 0;
  });
  api.sms.mode = 'ok';
  await ended(vikram, 'sent');
  api.sms.mode = 'refuses';
  const document = randomUUID();
  await giveTurn(document);
  await ended(vikram, 'failed', 'sent');
  const { body } = await api.call(asha, 'GET', `/notifications/deliveries/${document}`);
  expect(body).toContainEqual(
    expect.objectContaining({
      kind: 'your_turn',
      channel: 'sms',
      user_id: vikram.userId,
      state: 'failed',
      cause: 'unknown_number',
    }),
  );
  expect((await api.call(vikram, 'GET', `/notifications/deliveries/${document}`)).body).toEqual([]);
});

it('shows the sender whether an SMS arrived, by the signed report of the provider alone', async () => {
  const document = randomUUID();
  await giveTurn(document);
  await ended(vikram, 'sent');
  const { statusUrl } = api.sms.sent.at(-1) ?? { statusUrl: '' };
  const report = (fields: Record<string, string>, token = 'secret', url = statusUrl) =>
    reportSms(api.service.url, statusUrl, fields, { url, token });
  const seen = async () => {
    const { body } = await api.call(asha, 'GET', `/notifications/deliveries/${document}`);
    const sms = (body as { channel: string; state: string; cause?: string }[]).find(
      ({ channel }) => channel === 'sms',
    );
    return [sms?.state, sms?.cause];
  };
  const other = statusUrl.replace(/[0-9a-f-]{36}/, randomUUID());
  expect(await report({ MessageStatus: 'delivered' }, 'guess')).toBe(401);
  expect(await report({ MessageStatus: 'delivered' }, 'secret', other)).toBe(401);
  expect(await report({ MessageStatus: 'sent' })).toBe(200);
  expect(await seen()).toEqual(['sent', undefined]);
  expect(await report({ MessageStatus: 'undelivered', ErrorCode: '30005' })).toBe(200);
  expect(await report({ MessageStatus: 'delivered' })).toBe(200);
  expect(await seen()).toEqual(['failed', 'unknown_number']);
});

it('waits for the end of quiet hours, and skips what the user has read in the app until then', async () => {
  await api.call(vikram, 'PATCH', '/notifications/settings', { quiet_hours: allDay() });
  await giveTurn();
  await inApp(vikram, 1);
  const [before] = await rows(vikram);
  expect(before?.state).toBe('queued');
  expect(before?.due_at.getTime()).toBeGreaterThan(Date.now());
  const [{ _id } = { _id: '' }] = (await api.inbox(vikram)).notifications;
  await api.call(vikram, 'POST', `/notifications/${_id}/read`);
  await sql`UPDATE deliveries SET due_at = now() WHERE state = 'queued'`.execute(db());
  await ended(vikram, 'skipped');
  expect(await smsTo(vikram)).toEqual([]);
});

it('shows in the export of personal data whether an SMS was sent', async () => {
  await setShare(vikram);
  await ended(vikram, 'sent');
  const { items } = await api.world.ask(
    exportRpc.notifications,
    { user_id: vikram.userId, cursor: null },
    'auth',
  );
  expect(items).toContainEqual(expect.objectContaining({ kind: 'share_due', sms: 'sent' }));
});

/** Returns quiet hours that contain the present moment and at least the next 22 hours. */
function allDay() {
  const hour = new Date(Date.now() + 5.5 * 3_600_000).getUTCHours();
  return { from: hour, until: (hour + 23) % 24 };
}
