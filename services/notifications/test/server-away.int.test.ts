/** The mail server is down: no e-mail is lost, no attempt is counted, and only a few rows are tried. */
import { startBrokerAdmin } from '@karaar/bus';
import { createLogger } from '@karaar/observability/logging';
import { startTestMail, type TestMail } from '@karaar/testing/providers/mail';
import { startServiceWorld, type ServiceWorld } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { AT_ONCE, sendDue } from '../src/features/deliveries/delivery.worker.ts';
import { mailChannel, type MailContext } from '../src/features/mail/mail.channel.ts';
import { createMailer } from '../src/features/mail/mailer.ts';
import { readWaiting } from '../src/features/deliveries/deliveries.repository.ts';
import { createSmsSender, smsOptionsFromEnv } from '@karaar/sms';
import { createDirectory } from '@karaar/bus/directory';
import { envOf, mailAddress } from './api.ts';

const WAITING = 5_000;

let world: ServiceWorld;
let service: Awaited<ReturnType<typeof createApp>>;
let mail: TestMail;
beforeAll(async () => {
  world = await startServiceWorld('notifications-away', { service: 'notifications', startBrokerAdmin });
  mail = await startTestMail();
  // Without a mail server, the service's own worker sends nothing, so the test sends every batch itself.
  const { SMTP_HOST: _none, ...env } = envOf(world, mail.port);
  service = await createApp(readConfig(env));
}, 120_000);
afterAll(async () => {
  await service.app.close();
  await service.close();
  await mail.stop();
  await world.stop();
});

it('keeps thousands of e-mails in the table and sends them once the server is back', async () => {
  const vikram = await world.addUser('Vikram Shah');
  const config = readConfig(envOf(world, mail.port));
  const { db, bus } = service.foundation;
  const mailer = createMailer(config);
  if (!mailer) throw new Error('The configuration names no mail server');
  const ctx: MailContext = {
    ...service.foundation,
    config,
    mailer,
    directory: createDirectory(db, bus),
    sms: createSmsSender(smsOptionsFromEnv(config, []), service.foundation.logger),
    senders: { wake: () => undefined },
    logger: createLogger({ name: 'test', level: 'silent' }),
  };
  await mail.stop();
  await sql`
    INSERT INTO notifications (id, user_id, kind, event_id, in_app)
    SELECT uuidv7(), ${vikram.userId}, 'sealed', n::text, true FROM generate_series(1, ${WAITING}::int) n`.execute(
    db,
  );
  await sql`
    INSERT INTO deliveries (id, notification_id, channel) SELECT uuidv7(), id, 'email' FROM notifications`.execute(
    db,
  );
  for (let turn = 0; turn < 3; turn += 1)
    await expect(sendDue(ctx, mailChannel(ctx))).rejects.toThrow('away');
  const { rows } = await sql<{ state: string; attempts: number; count: number }>`
    SELECT state, attempts, count(*)::int AS count FROM deliveries GROUP BY 1, 2`.execute(db);
  expect(rows).toEqual([{ state: 'queued', attempts: 0, count: WAITING }]);
  // The worker tries only the few oldest rows again, however many wait.
  const tried = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM deliveries WHERE reason IS NOT NULL`.execute(db);
  expect(tried.rows[0]?.count).toBeGreaterThan(0);
  expect(tried.rows[0]?.count).toBeLessThanOrEqual(3 * AT_ONCE);
  expect((await readWaiting(db, 'email')).waiting).toBe(WAITING);

  mail = await startTestMail({ port: mail.port, mailbox: mail.mailbox });
  const shown = () => mail.mailbox.list(mailAddress(vikram)).length;
  await until('a hundred of them are sent', async () => {
    await sendDue(ctx, mailChannel(ctx));
    return shown() >= 100;
  });
  expect((await readWaiting(db, 'email')).waiting).toBe(WAITING - shown());
  mailer.close();
  await ctx.sms.close();
}, 60_000);
