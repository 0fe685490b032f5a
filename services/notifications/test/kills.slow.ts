/**
 * Three processes handle events, write notifications and send e-mails and SMS while SIGKILLs hit one of them at
 * a time. Every event must appear once in the list and once by e-mail, and those with SMS once by SMS. Half of the
 * people chose WhatsApp, which refuses every message, so that an SMS replaces it, unless a kill left the outcome unknown.
 * `NOTIFICATION_KILLS` sets another number of kills, `NOTIFICATION_SECONDS` a limit.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { startBrokerAdmin } from '@karaar/bus';
import { startTestMail, type TestMail } from '@karaar/testing/providers/mail';
import { smsStandIn, type SmsStandIn } from '@karaar/testing/providers/sms';
import { serviceProcess, type ServiceProcess } from '@karaar/testing/servers/service-process';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import pg from 'pg';
import { LEASE_MS } from '../src/features/deliveries/delivery.worker.ts';
import { envOf, serveDocuments } from './api.ts';
import { bundledService } from './bundled.ts';
import { CountingMailbox } from './counting-mailbox.ts';
import { whatsappStandIn, type WhatsappStandIn } from './whatsapp-stand-in.ts';

const KILLS = Number(process.env['NOTIFICATION_KILLS'] ?? 25);
const SECONDS = Number(process.env['NOTIFICATION_SECONDS'] ?? 600);
const PROCESSES = 3;
const PEOPLE = 40;
/** Published events whose e-mails are not sent yet, so that each kill interrupts work. */
const UNDER_WAY = 60;
/** A provider has this long to read the request of a killed process. */
const READ_AFTER_MS = 3_000;
const SETTLE_MS = 600_000;

jest.setTimeout((SECONDS + 1_800) * 1_000);

let world: ServiceWorld;
let mail: TestMail;
let sms: SmsStandIn;
let whatsapp: WhatsappStandIn;
let db: pg.Client;
const mailbox = new CountingMailbox();
const parts: ServiceProcess[] = [];
/** When each process was last known to be dead. */
const deadAt = new Map<ServiceProcess, number>();

beforeAll(async () => {
  world = await startServiceWorld('notifications-kills', { service: 'notifications', startBrokerAdmin });
  mail = await startTestMail({ mailbox });
  sms = await smsStandIn();
  whatsapp = await whatsappStandIn();
  whatsapp.mode = 131_026;
  await serveDocuments(world, randomUUID);
  const main = await bundledService(world.folder);
  const env = {
    ...envOf(world, mail.port, sms.env),
    ...whatsapp.env,
    REMINDERS_BATCH_MIN: '1',
    MAILS_PER_SECOND: '100',
    TEXTS_PER_RECEIVER_AND_DAY: '1000000',
  };
  for (let i = 0; i < PROCESSES; i += 1) {
    const part = await serviceProcess(main, { ...env, HOST: '127.0.0.1' });
    // In sequence, because the first one migrates.
    deadAt.set(part, Date.now());
    await part.start();
    parts.push(part);
  }
  db = new pg.Client({ connectionString: world.ownerUrl });
  await db.connect();
}, 300_000);
afterAll(async () => {
  await Promise.all(parts.map((part) => part.kill()));
  await db.end();
  await mail.stop();
  await sms.stop();
  await whatsapp.stop();
  await world.stop();
}, 60_000);

const count = async (from: string) =>
  Number((await db.query<{ n: string }>(`SELECT count(*) AS n FROM ${from}`)).rows[0]?.n);
/**
 * Ends the batching time of reminders, and expires the leases that no process holds any more: each was dead at
 * some time since the claim.
 */
const hurry = () =>
  db.query(
    `UPDATE deliveries SET lease_until = CASE WHEN state = 'sending' THEN now() END, due_at = now()
     WHERE state = 'sending' AND lease_until < to_timestamp($1)
        OR state = 'queued' AND due_at > now()`,
    [(Math.min(...deadAt.values(), Date.now() - READ_AFTER_MS) + LEASE_MS) / 1_000],
  );

const published: string[] = [];
/** The documents whose events come by SMS too. */
const bySms = new Set<string>();
async function publishChange(people: readonly WorldUser[]): Promise<void> {
  const [from, to] = [people[randomInt(PEOPLE / 2)], people[PEOPLE / 2 + randomInt(PEOPLE / 2)]];
  if (!from || !to) throw new Error('The test needs at least two people');
  const document_id = randomUUID();
  const change = (['party.reminded', 'party.invited', 'document.approved'] as const)[randomInt(3)];
  if (change === 'document.approved') bySms.add(document_id);
  await world.publish(documentsEvents.changed, {
    document_id,
    status: 'pending',
    primary_user: from.userId,
    involved_users: [],
    change,
    actor_id: from.userId,
    subject_id: to.userId,
    awaited_users: [to.userId],
  });
  published.push(document_id);
}

/**
 * Restarts a killed process while the others go on. On a busy machine it may not be ready in time, and is
 * then restarted.
 */
async function killAndStart(part: ServiceProcess): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await part.kill();
    deadAt.set(part, Date.now());
    try {
      return await part.start();
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

it('loses and duplicates no notification when processes are killed', async () => {
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, i) => world.addUser(`Person ${i}`)));
  for (const { userId } of people.filter((_, i) => i % 2 === 0))
    await db.query(`INSERT INTO preferences VALUES ($1, 'your_turn', 'whatsapp', true)`, [userId]);
  const began = Date.now();
  const end = began + SECONDS * 1_000;
  const idle = new Set(parts);
  const starting: Promise<void>[] = [];
  let kills = 0;
  while (kills < KILLS && Date.now() < end) {
    while (published.length - mailbox.about.size < UNDER_WAY) await publishChange(people);
    const [part] = [...idle];
    // At least one of the three processes stays up, so that events are still handled.
    if (part && idle.size > 1) {
      idle.delete(part);
      kills += 1;
      starting.push(killAndStart(part).finally(() => idle.add(part)));
      if (kills % 50 === 0) {
        const seconds = ((Date.now() - began) / 1_000).toFixed(0);
        process.stdout.write(
          `${kills} kills, ${published.length} events, ${mailbox.about.size} told, ${seconds} s\n`,
        );
      }
    }
    await hurry();
    await sleep(randomInt(50, 250));
  }
  await Promise.all(starting);
  await Promise.all(parts.map(killAndStart));
  await until(
    'all are told',
    async () => {
      await hurry();
      return (
        (await count(`deliveries WHERE state <> 'sent' AND (channel <> 'whatsapp' OR state <> 'failed')`)) ===
          0 && mailbox.about.size >= published.length
      );
    },
    SETTLE_MS,
  ).catch(() => undefined);
  const unknown = await db.query<{ document_id: string }>(
    `SELECT document_id FROM deliveries d JOIN notifications n ON n.id = notification_id
     WHERE channel = 'whatsapp' AND state = 'sent' AND report IS NULL`,
  );
  for (const { document_id } of unknown.rows) bySms.delete(document_id);
  const smsAbout = (id: string) => sms.sent.filter(({ text }) => text.includes(id)).length;
  const wrongSms = published.filter((id) => smsAbout(id) !== (bySms.has(id) ? 1 : 0));
  const lost = published.filter((id) => !mailbox.about.has(id));
  const doubled = published.filter((id) => (mailbox.about.get(id)?.size ?? 0) > 1);
  const figures = {
    kills,
    events: published.length,
    mails: mailbox.seen.size,
    arrivals: mailbox.arrivals,
    lost: lost.length,
    doubled: doubled.length,
    sms: sms.sent.length,
    sms_lost_or_doubled: wrongSms.length,
    whatsapp: await count(`deliveries WHERE channel = 'whatsapp'`),
    whatsapp_unknown: unknown.rows.length,
  };
  const ends = await db.query(
    `SELECT d.channel, d.state, d.report, left(d.reason, 60) AS why, count(*) FROM deliveries d JOIN notifications n ON n.id = notification_id
     WHERE document_id = ANY($1) GROUP BY 1, 2, 3, 4`,
    [wrongSms],
  );
  process.stdout.write(
    `${JSON.stringify({ ...figures, wrong: ends.rows, per: wrongSms.slice(0, 20).map(smsAbout) })}\n`,
  );
  expect({ lost, doubled, wrongSms }).toEqual({ lost: [], doubled: [], wrongSms: [] });
  expect(await count('notifications')).toBe(published.length);
  expect(await count(`deliveries WHERE state = 'sent' AND channel <> 'whatsapp'`)).toBe(
    published.length + bySms.size,
  );
  expect(kills).toBe(KILLS);
});
