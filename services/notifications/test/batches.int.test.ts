/**
 * Many events in one transaction, and many e-mails in one batch, have the same effects as one by one, with
 * few statements.
 */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { authEvents } from '@karaar/contracts/auth/events';
import type { NotificationChannel } from '@karaar/contracts/notifications/kinds';
import { startBrokerAdmin } from '@karaar/bus';
import { inTransaction } from '@karaar/db';
import { createSmsSender, smsOptionsFromEnv } from '@karaar/sms';
import { createDirectory } from '@karaar/bus/directory';
import { createLogger } from '@karaar/observability/logging';
import { startTestMail, type TestMail } from '@karaar/testing/providers/mail';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql, type KyselyPlugin } from 'kysely';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { MAX_BATCH } from '../src/features/digests/digests.repository.ts';
import { AT_ONCE, LEASE_MS, sendDue } from '../src/features/deliveries/delivery.worker.ts';
import { mailChannel, type MailContext } from '../src/features/mail/mail.channel.ts';
import { createMailer } from '../src/features/mail/mailer.ts';
import { notifyOfMany, type News } from '../src/features/notifying/notifying.service.ts';
import { setPreferences, setSettings } from '../src/features/preferences/preferences.repository.ts';
import { envOf, mailAddress } from './api.ts';

const refused = new Map<string, number>();
let world: ServiceWorld;
let service: Awaited<ReturnType<typeof createApp>>;
let mail: TestMail;
let ctx: MailContext;
let statements = 0;
let wakes = 0;
let asha: WorldUser;
let vikram: WorldUser;
beforeAll(async () => {
  world = await startServiceWorld('notifications-batches', { service: 'notifications', startBrokerAdmin });
  mail = await startTestMail({ refusal: (address) => refused.get(address) });
  // Without a mail server, the service's own worker sends nothing, so the test sends every batch itself.
  const { SMTP_HOST: _none, ...env } = envOf(world, mail.port);
  service = await createApp(readConfig(env));
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { foundation } = service;
  const db = foundation.db.withPlugin(counting);
  const config = readConfig({ ...envOf(world, mail.port), REMINDERS_BATCH_MIN: '600' });
  const mailer = createMailer(config);
  if (!mailer) throw new Error('The configuration names no mail server');
  ctx = {
    ...foundation,
    db,
    config,
    mailer,
    directory: createDirectory(db, foundation.bus),
    sms: createSmsSender(smsOptionsFromEnv(config, []), foundation.logger),
    senders: { wake: () => (wakes += 1) },
    logger: createLogger({ name: 'test', level: 'silent' }),
  };
}, 120_000);
afterAll(async () => {
  ctx.mailer.close();
  await ctx.sms.close();
  await service.app.close();
  await service.close();
  await mail.stop();
  await world.stop();
});
beforeEach(async () => {
  refused.clear();
  await sql`DELETE FROM notifications`.execute(ctx.db);
  asha = await world.addUser('Asha Rao');
  vikram = await world.addUser('Vikram Shah');
  [statements, wakes] = [0, 0];
});

type NewsEvent = { eventId: string; news: News[] };
const event = (...news: News[]): NewsEvent => ({ eventId: randomUUID(), news });
const paid = ({ userId }: WorldUser, amountPaise = 100): News => ({ userId, kind: 'paid', amountPaise });
const reminded = ({ userId }: WorldUser): News => ({ userId, kind: 'reminded' });
const sendMails = (own = ctx) => sendDue(own, mailChannel(own));
const notify = (events: NewsEvent[]) => inTransaction(ctx.db, (tx) => notifyOfMany(ctx, tx, events));

const listOf = async ({ userId }: WorldUser) => {
  const { rows } = await sql<{ kind: string; amount_paise: string | null }>`
    SELECT kind, amount_paise FROM notifications WHERE user_id = ${userId} ORDER BY id`.execute(ctx.db);
  return rows.map(({ kind, amount_paise }) => `${kind} ${amount_paise}`);
};
/** Returns version and count of each event about a user's list. */
const bellOf = async ({ userId }: WorldUser) => {
  const { rows } = await sql<{ version: number; unread: number }>`
    SELECT aggregate_version::int AS version, (data->>'unread_count')::int AS unread FROM outbox
    WHERE aggregate_id = ${userId} ORDER BY aggregate_version`.execute(ctx.db);
  return rows.map(({ version, unread }) => [version, unread]);
};
type Delivery = { state: string; reason: string | null; attempts: number; due_at: Date; led: boolean };
const deliveriesOf = async ({ userId }: WorldUser) => {
  const { rows } = await sql<Delivery>`
    SELECT d.state, d.reason, d.attempts, d.due_at, d.leader_id IS NOT NULL AS led
    FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${userId} AND d.channel = 'email' ORDER BY d.id`.execute(ctx.db);
  return rows;
};

describe('events of one transaction', () => {
  it('notify several users in order, with one event per user, in six statements', async () => {
    const events = [paid(vikram, 1), paid(asha, 2), paid(vikram, 3)].map((news) => event(news));
    await notify([...events, event({ userId: asha.userId, kind: 'sealed' }, { ...paid(asha, 4) })]);
    expect(statements).toBe(6);
    expect(wakes).toBe(1);
    expect(await listOf(vikram)).toEqual(['paid 1', 'paid 3']);
    expect(await listOf(asha)).toEqual(['paid 2', 'sealed null', 'paid 4']);
    expect([await bellOf(vikram), await bellOf(asha)]).toEqual([[[1, 2]], [[1, 3]]]);
    expect([await deliveriesOf(vikram), await deliveriesOf(asha)].map(({ length }) => length)).toEqual([
      2, 3,
    ]);
    await notify([event(paid(vikram, 5))]);
    expect(await bellOf(vikram)).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it('notify once of an event that is delivered twice, at once or later', async () => {
    const [once, other] = [event(paid(asha, 1)), event(paid(asha, 2))];
    await notify([once, other, once]);
    await notify([other, once, event(paid(vikram, 3))]);
    expect(await listOf(asha)).toEqual(['paid 1', 'paid 2']);
    expect(await deliveriesOf(asha)).toHaveLength(2);
    expect([await bellOf(asha), await bellOf(vikram)]).toEqual([[[1, 2]], [[1, 1]]]);
  });

  it('skip a deleted user, and kinds that a user has switched off', async () => {
    const gone = await world.addUser('Meera Nair');
    await ctx.directory.findById(gone.userId);
    await world.deleteUser(gone);
    await until('the account is gone', async () => {
      const { rows } =
        await sql`SELECT FROM directory WHERE user_id = ${gone.userId} AND NOT is_active`.execute(ctx.db);
      return rows.length === 1;
    });
    const off = (channel: NotificationChannel) =>
      ({ user_id: asha.userId, kind: 'sealed', channel, wanted: false }) as const;
    await setPreferences(ctx.db, [off('app'), off('email'), off('sms'), { ...off('email'), kind: 'paid' }]);
    await notify([
      event({ userId: gone.userId, kind: 'sealed' }, { userId: asha.userId, kind: 'sealed' }, paid(asha)),
      event({ userId: vikram.userId, kind: 'sealed' }, paid(gone)),
    ]);
    expect([await listOf(gone), await bellOf(gone)]).toEqual([[], []]);
    expect([await listOf(asha), await deliveriesOf(asha)]).toEqual([['paid 100'], []]);
    expect([await listOf(vikram), (await deliveriesOf(vikram)).length]).toEqual([['sealed null'], 1]);
  });

  it("put a user's reminders into e-mails of at most the allowed number", async () => {
    const many = Array.from({ length: MAX_BATCH + 2 }, () => event(reminded(vikram)));
    await notify([event(reminded(asha), paid(vikram)), ...many]);
    const all = await deliveriesOf(vikram);
    expect(all.filter(({ state }) => state === 'batched')).toHaveLength(MAX_BATCH);
    expect(all.filter(({ led }) => !led)).toHaveLength(3);
    expect(await deliveriesOf(asha)).toMatchObject([{ state: 'queued', led: false }]);
    await notify([event(reminded(vikram))]);
    expect((await deliveriesOf(vikram)).at(-1)).toMatchObject({ state: 'batched', led: true });
  });

  it("wait for the end of each user's own quiet hours", async () => {
    await setSettings(ctx.db, asha.userId, { quietHours: allDay() });
    await notify([event(paid(asha), paid(vikram), { userId: asha.userId, kind: 'new_sign_in' })]);
    const isLater = async (user: WorldUser) =>
      (await deliveriesOf(user)).map(({ due_at }) => due_at.getTime() > Date.now());
    expect([await isLater(asha), await isLater(vikram)]).toEqual([[true, false], [false]]);
  });

  it('count correctly when several transactions notify the same users at the same time', async () => {
    const both = [paid(asha), paid(vikram), reminded(asha), reminded(vikram)];
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => notify([event(...(at % 2 ? both : both.toReversed()))])),
    );
    const expected = Array.from({ length: 20 }, (_, at) => [at + 1, 2 * (at + 1)]);
    expect([await bellOf(asha), await bellOf(vikram)]).toEqual([expected, expected]);
    expect((await deliveriesOf(asha)).filter(({ state }) => state === 'queued')).toHaveLength(21);
  });
});

describe('e-mails of one batch', () => {
  it('that are not sent end in a few statements', async () => {
    const users = await Promise.all(Array.from({ length: AT_ONCE }, () => world.addUser('Ravi')));
    for (const user of users) {
      world.changeEmail(user, '');
      await ctx.directory.refresh(user.userId);
    }
    await notify([event(...users.map((user) => paid(user)))]);
    statements = 0;
    expect(await sendMails()).toBe(AT_ONCE);
    expect(statements).toBeLessThan(AT_ONCE);
    for (const user of users)
      expect(await deliveriesOf(user)).toMatchObject([
        { state: 'skipped', reason: 'no proved address', attempts: 1 },
      ]);
  });

  it('end each with its own state', async () => {
    const [meera, ravi, tara] = [
      await world.addUser('Meera Nair'),
      await world.addUser('Ravi Iyer'),
      await world.addUser('Tara Sen'),
    ];
    await notify([event(...[asha, vikram, meera, ravi, tara].map((user) => paid(user)))]);
    world.changeEmail(vikram, '');
    refused.set(mailAddress(meera), 550);
    refused.set(mailAddress(ravi), 451);
    await setSettings(ctx.db, tara.userId, { quietHours: allDay() });
    expect(await sendMails()).toBe(5);
    const [ended] = await deliveriesOf(ravi);
    expect(ended?.due_at.getTime()).toBeGreaterThan(Date.now() + 30_000);
    expect((await Promise.all([asha, vikram, meera, ravi, tara].map(deliveriesOf))).flat()).toMatchObject([
      { state: 'sent', reason: null, attempts: 1 },
      { state: 'skipped', reason: 'no proved address', attempts: 1 },
      { state: 'failed', reason: "the server's answer: refused", attempts: 1 },
      { state: 'queued', reason: "the server's answer: later", attempts: 1 },
      { state: 'queued', reason: 'quiet hours', attempts: 0 },
    ]);
    expect(mail.mailbox.list(mailAddress(asha))).toHaveLength(1);
  });

  it('keep their state if another worker has claimed them', async () => {
    await notify([event(paid(asha), paid(vikram))]);
    const { send } = ctx.mailer;
    const mailer: MailContext['mailer'] = {
      send: async (letter) => {
        await sql`UPDATE deliveries SET attempts = attempts + 1 WHERE id = ${letter.messageId}`.execute(
          ctx.db,
        );
        await send(letter);
      },
      close: () => undefined,
    };
    await sendMails({ ...ctx, mailer });
    for (const user of [asha, vikram])
      expect(await deliveriesOf(user)).toMatchObject([{ state: 'sending', attempts: 2 }]);
  });

  it("contain batched reminders, each recipient's own", async () => {
    await notify([event(reminded(asha), reminded(vikram)), event(reminded(asha)), event(reminded(vikram))]);
    await sql`UPDATE deliveries SET due_at = now()`.execute(ctx.db);
    expect(await sendMails()).toBe(2);
    for (const user of [asha, vikram]) {
      expect((await deliveriesOf(user)).map(({ state }) => state)).toEqual(['sent', 'sent']);
      expect(mail.mailbox.list(mailAddress(user))).toMatchObject([
        { subject: '2 answers of yours are awaited' },
      ]);
    }
  });
});

it('leaves an e-mail to the next worker after a pause of its process in which the lease may have expired', async () => {
  await notify([event(paid(vikram))]);
  const channel = mailChannel(ctx);
  const now = jest.spyOn(Date, 'now');
  const prepare: typeof channel.prepare = (row, items) => {
    now.mockReturnValue(new Date().getTime() + LEASE_MS);
    return channel.prepare(row, items);
  };
  await sendDue(ctx, { ...channel, prepare }).finally(() => now.mockRestore());
  expect(await deliveriesOf(vikram)).toMatchObject([{ state: 'sending', attempts: 1 }]);
  await sql`UPDATE deliveries SET lease_until = now() WHERE state = 'sending'`.execute(ctx.db);
  await sendMails();
  expect(await deliveriesOf(vikram)).toMatchObject([{ state: 'sent', attempts: 2 }]);
  expect(mail.mailbox.list(mailAddress(vikram))).toHaveLength(1);
});

it('handles events that arrive in one batch once each', async () => {
  const ids = await Promise.all(
    Array.from({ length: 30 }, () => world.publish(authEvents.dataExported, { user_id: vikram.userId })),
  );
  await until('all are there', async () => (await listOf(vikram)).length === ids.length);
  for (const id of ids) await world.publish(authEvents.dataExported, { user_id: vikram.userId }, { id });
  await world.publish(authEvents.dataExported, { user_id: asha.userId });
  await until('the last one is there', async () => (await listOf(asha)).length === 1);
  expect(await listOf(vikram)).toHaveLength(ids.length);
  const bell = await bellOf(vikram);
  expect(bell.at(-1)).toEqual([bell.length, ids.length]);
  expect(bell.length).toBeLessThan(ids.length / 2);
});

/** Returns quiet hours that contain the present moment and at least the next 22 hours. */
function allDay() {
  const hour = new Date(Date.now() + 5.5 * 3_600_000).getUTCHours();
  return { from: hour, until: (hour + 23) % 24 };
}
