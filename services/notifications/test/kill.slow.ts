/** A process that is killed while it tells and sends: every fact is told once, and every mailbox shows one e-mail of it. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { keepBroker } from '@karaar/platform/bus';
import { startTestMail, type TestMail } from '@karaar/testing/providers/mail';
import { freePort } from '@karaar/testing/servers/ports';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import pg from 'pg';
import { envOf, mailAddress, serveDocuments } from './api.ts';
import { startProcess } from './process.ts';

jest.setTimeout(180_000);

const FACTS = 150;
const KILLS = 4;

let world: ServiceWorld;
let mail: TestMail;
beforeAll(async () => {
  world = await startServiceWorld('notifications-kill', { service: 'notifications', keepBroker });
  mail = await startTestMail();
  await serveDocuments(world, randomUUID);
}, 120_000);
afterAll(async () => {
  await mail.stop();
  await world.stop();
});

it('loses none and doubles none over kills', async () => {
  const [asha, vikram] = [await world.addUser('Asha Rao'), await world.addUser('Vikram Shah')];
  const env = { ...envOf(world, mail.port), MAILS_PER_SECOND: '20' };
  const port = await freePort();
  let service = await startProcess(env, port);
  const db = new pg.Client({ connectionString: world.ownerUrl });
  await db.connect();
  const count = async (from: string) =>
    Number((await db.query<{ n: string }>(`SELECT count(*) AS n FROM ${from}`)).rows[0]?.n);
  for (let i = 0; i < FACTS; i += 1) await invite(asha, vikram);
  const sent = () => mail.mailbox.list(mailAddress(vikram)).length;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // In the middle of sending: what was taken and not yet noted goes again.
    await until('e-mails go out', async () => sent() >= (kill * FACTS) / (KILLS + 2), 60_000);
    await service.stop('SIGKILL');
    await db.query(`UPDATE deliveries SET lease_until = now() WHERE state = 'sending'`);
    service = await startProcess(env, port);
  }
  await until(
    'every e-mail is sent',
    async () => (await count(`deliveries WHERE state = 'sent'`)) === FACTS,
    120_000,
  );
  await service.stop('SIGTERM');
  expect(await count('notifications')).toBe(FACTS);
  expect(await count('deliveries')).toBe(FACTS);
  expect(sent()).toBe(FACTS);
  await db.end();
});

const invite = (from: WorldUser, to: WorldUser) =>
  world.publish(documentsEvents.changed, {
    document_id: randomUUID(),
    status: 'pending',
    primary_user: from.userId,
    involved_users: [],
    change: 'party.invited',
    actor_id: from.userId,
    subject_id: to.userId,
  });
