/** From events to the list of notifications: who gets which, and who may read and mark it. */
import { randomUUID } from 'node:crypto';
import { Value } from 'typebox/value';
import { authEvents } from '@karaar/contracts/auth/events';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { messagingEvents } from '@karaar/contracts/messaging/events';
import { NotificationPage } from '@karaar/contracts/notifications/http';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { walletEvents } from '@karaar/contracts/wallet/events';
import { sql } from 'kysely';
import { until } from '@karaar/testing/until';
import type { WorldUser } from '@karaar/testing/service-world';
import { ANSWER_BY, startApi, type Api } from './api.ts';

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;
beforeAll(async () => {
  api = await startApi('notifications-inbox');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah');
});

const kinds = async (user: WorldUser) => (await api.inbox(user)).notifications.map(({ kind }) => kind);
const count = (user: WorldUser, expected: number) =>
  until(`${expected} notifications`, async () => (await api.inbox(user)).notifications.length === expected);
const invite = (id?: string) =>
  api.change({ change: 'party.invited', actor_id: asha.userId, subject_id: vikram.userId }, id);

it('notifies only the invited user of an invitation, with names', async () => {
  const id = await invite();
  await count(vikram, 1);
  const page = await api.inbox(vikram);
  expect(Value.Check(NotificationPage, page)).toBe(true);
  expect(page).toMatchObject({ unread_count: 1, next_cursor: null });
  expect(page.notifications[0]).toMatchObject({
    kind: 'invited',
    document_name: 'Lease of the shop',
    actor_name: 'Asha Rao',
    reason: null,
    answer_by: ANSWER_BY,
    read: false,
  });
  // The same event again, and then another, which shows that the first was handled.
  await invite(id);
  await invite();
  await count(vikram, 2);
  expect(await kinds(asha)).toEqual([]);
});

it('notifies of a rejection with its reason, of money and of sign-ins', async () => {
  await api.change({
    change: 'party.rejected',
    status: 'rejected',
    primary_user: asha.userId,
    involved_users: [asha.userId, vikram.userId],
    actor_id: vikram.userId,
  });
  await count(asha, 1);
  expect((await api.inbox(asha)).notifications[0]).toMatchObject({
    kind: 'rejected',
    reason: 'The rent is too high',
    actor_name: 'Vikram Shah',
  });
  const card = (status: 'pending' | 'completed' | 'failed') =>
    api.world.publish(walletEvents.card, {
      reference: randomUUID(),
      type: 'top_up',
      order_id: 'o',
      payment_id: null,
      user_id: asha.userId,
      amount_paise: 50_000,
      status,
      created_at: new Date().toISOString(),
    });
  await card('pending');
  await card('completed');
  await card('failed');
  await api.world.publish(authEvents.sessionOpened, { user_id: asha.userId, session_id: randomUUID() });
  await count(asha, 4);
  expect((await kinds(asha)).sort()).toEqual(['new_sign_in', 'rejected', 'top_up_done', 'top_up_failed']);
});

it('notifies of an added or removed passkey by app and e-mail, at any hour, and refuses to switch that off', async () => {
  const settings = '/notifications/settings';
  for (const channel of ['app', 'email']) {
    const preferences = [{ kind: 'passkey_added', channel, wanted: false }];
    const refused = await api.call(asha, 'PATCH', settings, { preferences });
    expect([refused.status, (refused.body as { code?: string }).code]).toEqual([400, 'always_told']);
  }
  const hour = Number(
    new Intl.DateTimeFormat('en', { timeZone: 'Asia/Kolkata', hour: 'numeric', hourCycle: 'h23' }).format(),
  );
  await api.call(asha, 'PATCH', settings, {
    quiet_hours: { from: (hour + 23) % 24, until: (hour + 2) % 24 },
  });
  const publishKeyChange = (action: 'added' | 'removed') =>
    api.world.publish(documentsEvents.passkeyChanged, { user_id: asha.userId, action });
  const id = await publishKeyChange('added');
  await count(asha, 1);
  await api.world.publish(documentsEvents.passkeyChanged, { user_id: asha.userId, action: 'added' }, { id });
  await publishKeyChange('removed');
  await count(asha, 2);
  expect(await kinds(asha)).toEqual(['passkey_removed', 'passkey_added']);
  expect(await kinds(vikram)).toEqual([]);
  await until('both e-mails', async () => api.mailsTo(asha).length === 2);
  expect(
    api
      .mailsTo(asha)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(['A passkey was added to your account', 'A passkey was removed from your account']);
  for (const { headers } of api.mailsTo(asha)) expect(headers['list-unsubscribe']).toBeUndefined();
});

it("notifies of a download of the user's data, and refuses to switch that off", async () => {
  const preferences = [{ kind: 'data_exported', channel: 'email', wanted: false }];
  expect((await api.call(asha, 'PATCH', '/notifications/settings', { preferences })).status).toBe(400);
  await api.world.publish(authEvents.dataExported, { user_id: asha.userId });
  await count(asha, 1);
  expect(await kinds(asha)).toEqual(['data_exported']);
  await until('the e-mail', async () => api.mailsTo(asha).length === 1);
  expect(api.mailsTo(asha)[0]?.subject).toBe('A copy of your data was downloaded');
});

it('notifies of a requested and a completed phone change, and refuses to switch that off', async () => {
  const preferences = [{ kind: 'phone_move_asked', channel: 'email', wanted: false }];
  expect((await api.call(asha, 'PATCH', '/notifications/settings', { preferences })).status).toBe(400);
  for (const action of ['move_asked', 'changed'] as const)
    await api.world.publish(authEvents.phoneChanged, { user_id: asha.userId, action });
  await count(asha, 2);
  expect((await kinds(asha)).sort()).toEqual(['phone_changed', 'phone_move_asked']);
  await until('both e-mails', async () => api.mailsTo(asha).length === 2);
  expect(
    api
      .mailsTo(asha)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(['Your account is to get another phone number', 'Your phone number was changed']);
});

it("notifies only the recipient of unread messages, with the sender's name", async () => {
  const left = { user_id: vikram.userId, other_id: asha.userId };
  const id = await api.world.publish(messagingEvents.leftUnread, left);
  await count(vikram, 1);
  await api.world.publish(messagingEvents.leftUnread, left, { id });
  expect((await api.inbox(vikram)).notifications[0]).toMatchObject({
    kind: 'unread_chat',
    actor_name: 'Asha Rao',
    document_id: null,
  });
  await until('the e-mail', async () => api.mailsTo(vikram).length === 1);
  const [mail] = api.mailsTo(vikram);
  expect(mail?.subject).toBe('You have unread messages');
  expect(mail?.text).toContain('Asha Rao is waiting for you to read their messages.');
  expect(mail?.text).toContain('/chat');
  expect(await kinds(asha)).toEqual([]);
});

it('notifies every party of the sealed file', async () => {
  await api.world.publish(documentsEvents.finalized, {
    document_id: randomUUID(),
    status: 'finalized',
    primary_user: asha.userId,
    involved_users: [asha.userId, vikram.userId],
    change: 'document.finalized',
    actor_id: null,
  });
  await count(asha, 1);
  await count(vikram, 1);
  expect([...(await kinds(asha)), ...(await kinds(vikram))]).toEqual(['sealed', 'sealed']);
});

it('notifies every party once that a sealed agreement ends soon', async () => {
  const event = {
    document_id: randomUUID(),
    primary_user: asha.userId,
    involved_users: [asha.userId, vikram.userId],
  };
  const id = await api.world.publish(documentsEvents.expiring, event);
  await count(asha, 1);
  await count(vikram, 1);
  await api.world.publish(documentsEvents.expiring, event, { id });
  await invite();
  await count(vikram, 2);
  expect((await api.inbox(vikram)).notifications.map(({ kind }) => kind).sort()).toEqual([
    'expiring',
    'invited',
  ]);
  expect((await api.inbox(asha)).notifications[0]).toMatchObject({
    kind: 'expiring',
    document_name: 'Lease of the shop',
  });
});

it('does not notify of events from before the service began', async () => {
  const before = new Date(Date.now() - 86_400_000).toISOString();
  await api.world.publish(
    documentsEvents.changed,
    {
      document_id: randomUUID(),
      status: 'pending',
      primary_user: asha.userId,
      involved_users: [],
      change: 'party.invited',
      actor_id: asha.userId,
      subject_id: vikram.userId,
    },
    { occurredAt: before },
  );
  await invite();
  await count(vikram, 1);
});

it('lets only their owner mark notifications as read, one by one or up to one, and counts the rest', async () => {
  for (let i = 0; i < 3; i += 1) await invite();
  await count(vikram, 3);
  const [newest, middle, oldest] = (await api.inbox(vikram)).notifications;
  const path = `/notifications/${oldest?._id}/read`;
  expect((await api.call(asha, 'POST', path)).status).toBe(404);
  expect((await api.call(undefined, 'POST', path)).status).toBe(401);
  expect((await api.call({ headers: await api.world.adminHeaders() }, 'POST', path)).status).toBe(403);
  expect(await api.call(vikram, 'POST', path)).toEqual({ status: 200, body: { unread_count: 2 } });
  expect(await api.call(vikram, 'POST', path)).toEqual({ status: 200, body: { unread_count: 2 } });
  // Another user's notification as `up_to` marks only the caller's own notifications up to that moment.
  expect((await api.call(asha, 'POST', '/notifications/read', { up_to: newest?._id })).status).toBe(200);
  expect((await api.inbox(vikram)).unread_count).toBe(2);
  const upTo = { up_to: middle?._id };
  expect(await api.call(vikram, 'POST', '/notifications/read', upTo)).toEqual({
    status: 200,
    body: { unread_count: 1 },
  });
  expect((await api.inbox(vikram)).notifications.map(({ read }) => read)).toEqual([false, true, true]);
  expect((await api.call(vikram, 'GET', '/notifications/unread-count')).body).toEqual({ unread_count: 1 });
});

it('returns the list in pages', async () => {
  for (let i = 0; i < 3; i += 1) await invite();
  await count(vikram, 3);
  const first = (await api.call(vikram, 'GET', '/notifications?limit=2')).body as { next_cursor: string };
  const rest = await api.call(vikram, 'GET', `/notifications?limit=2&cursor=${first.next_cursor}`);
  expect(rest.body).toMatchObject({ notifications: [{}], next_cursor: null });
  expect((await api.call(vikram, 'GET', '/notifications?limit=101')).status).toBe(422);
});

it('publishes each change of the unread count, with growing versions', async () => {
  await invite();
  await count(vikram, 1);
  const [{ _id } = { _id: '' }] = (await api.inbox(vikram)).notifications;
  await api.call(vikram, 'POST', `/notifications/${_id}/read`);
  const { rows } = await sql<{ version: number; data: { unread_count: number } }>`
    SELECT aggregate_version AS version, data FROM outbox WHERE aggregate_id = ${vikram.userId} ORDER BY id`.execute(
    api.service.foundation.db,
  );
  expect(rows.map(({ version, data }) => [version, data.unread_count])).toEqual([
    [1, 1],
    [2, 0],
  ]);
});

it('leaves out kinds that a user has switched off', async () => {
  await api.call(vikram, 'PATCH', '/notifications/settings', {
    preferences: [
      { kind: 'invited', channel: 'app', wanted: false },
      { kind: 'invited', channel: 'email', wanted: false },
    ],
  });
  await invite();
  await api.change({ change: 'party.reminded', actor_id: asha.userId, subject_id: vikram.userId });
  await count(vikram, 1);
  expect(await kinds(vikram)).toEqual(['reminded']);
});

it('notifies each user with a share to pay, except the one who set the shares', async () => {
  await api.world.publish(paymentsEvents.sharesChanged, {
    document_id: randomUUID(),
    set_by: asha.userId,
    shares: [
      { user_id: asha.userId, amount_paise: 100 },
      { user_id: vikram.userId, amount_paise: 250 },
    ],
  });
  await count(vikram, 1);
  expect((await api.inbox(vikram)).notifications[0]).toMatchObject({ kind: 'share_due', amount_paise: 250 });
  expect(await kinds(asha)).toEqual([]);
});

it('notifies of a share that changed, with the amount before, and of none that stayed', async () => {
  const meera = await api.world.addUser('Meera Iyer');
  await api.world.publish(paymentsEvents.sharesChanged, {
    document_id: randomUUID(),
    set_by: asha.userId,
    shares: [
      { user_id: vikram.userId, amount_paise: 33_500, replaced_paise: 20_100 },
      { user_id: meera.userId, amount_paise: 100, replaced_paise: 100 },
    ],
  });
  await count(vikram, 1);
  const changed = { kind: 'share_due', amount_paise: 33_500, replaced_paise: 20_100 };
  expect((await api.inbox(vikram)).notifications[0]).toMatchObject(changed);
  expect(await kinds(meera)).toEqual([]);
});

it('does not notify a deleted account', async () => {
  await invite();
  await count(vikram, 1);
  await api.world.deleteUser(vikram);
  await until('it is empty', async () => (await kinds(vikram)).length === 0);
  const { rows } =
    await sql`SELECT FROM directory WHERE user_id = ${vikram.userId} AND NOT is_active`.execute(
      api.service.foundation.db,
    );
  expect(rows).toHaveLength(1);
  await invite();
  await api.change({ change: 'party.requested', primary_user: asha.userId, actor_id: vikram.userId });
  await count(asha, 1);
  expect(await kinds(vikram)).toEqual([]);
});

it('notifies the creator of a payment, and not its payer', async () => {
  api.createdBy(asha);
  const payment = (user: WorldUser) =>
    api.world.publish(paymentsEvents.paymentCompleted, {
      payment_id: randomUUID(),
      document_id: randomUUID(),
      user_id: user.userId,
      amount_paise: 12_300,
      document_paid: false,
      charge_number: 1,
    });
  await payment(asha);
  await payment(vikram);
  await count(asha, 1);
  expect((await api.inbox(asha)).notifications[0]).toMatchObject({ kind: 'paid', amount_paise: 12_300 });
});

it('notifies the payer and the creator of a reversed payment, each once', async () => {
  api.createdBy(asha);
  const document_id = randomUUID();
  const reversed = (user: WorldUser) =>
    api.world.publish(paymentsEvents.paymentReversed, {
      payment_id: randomUUID(),
      document_id,
      user_id: user.userId,
      amount_paise: 12_300,
      charge_number: 2,
    });
  await reversed(vikram);
  await count(vikram, 1);
  const notification = { kind: 'payment_reversed', amount_paise: 12_300, document_id };
  expect((await api.inbox(vikram)).notifications).toMatchObject([notification]);
  expect((await api.inbox(asha)).notifications).toMatchObject([notification]);
  await reversed(asha);
  await count(asha, 2);
  expect(await kinds(vikram)).toEqual(['payment_reversed']);
});
