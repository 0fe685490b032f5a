/**
 * The notifications service for tests, with real Postgres, NATS and Redis, a test SMTP server and a stand-in for
 * the SMS provider.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { EventData } from '@karaar/contracts/kit';
import type { Notification } from '@karaar/contracts/notifications/http';
import { startBrokerAdmin } from '@karaar/bus';
import { startTestMail, type TestMail, type TestMailOptions } from '@karaar/testing/providers/mail';
import { smsStandIn, type SmsStandIn } from '@karaar/testing/providers/sms';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import type { Static } from 'typebox';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

export type Entry = Static<typeof Notification>;
export type Inbox = { notifications: Entry[]; unread_count: number; next_cursor: string | null };

export type Api = {
  world: ServiceWorld;
  mail: TestMail;
  sms: SmsStandIn;
  service: Awaited<ReturnType<typeof createApp>>;
  call: (
    user: { headers: Record<string, string> } | undefined,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: never }>;
  inbox: (user: WorldUser) => Promise<Inbox>;
  /** Publishes a change of a document as the documents service does, and returns the id of the event. */
  change: (about: Partial<EventData<typeof documentsEvents.changed>>, id?: string) => Promise<string>;
  /** Makes this user the creator of all documents from now on. */
  createdBy: (user: WorldUser) => void;
  mailsTo: (user: WorldUser) => ReturnType<TestMail['mailbox']['list']>;
  stop: () => Promise<void>;
};

export const mailAddress = ({ charId }: WorldUser): string => `${charId.toLowerCase()}@example.org`;

/** Without `sms`, no provider answers. */
export const envOf = (
  world: ServiceWorld,
  port: number,
  sms: Record<string, string> = { ...SMS, SMS_API_URL: 'http://127.0.0.1:9' },
): Record<string, string> => ({
  ...world.env,
  ...sms,
  SMS_QUIET_HOURS: '0-0',
  PUBLIC_URL: 'http://karaar.test',
  NOTIFICATIONS_SECRET: SECRET,
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: String(port),
  SMTP_TLS: 'none',
  SMTP_TIMEOUT_MS: '5000',
  MAILS_PER_SECOND: '1000',
  REMINDERS_BATCH_MIN: '0',
});
const SMS = { SMS_PROVIDER: 'sandbox', SMS_ACCOUNT_SID: 'ACtest', SMS_AUTH_TOKEN: 'secret' };
export const SECRET = randomBytes(32).toString('base64');

export const ANSWER_BY = '2026-12-12';

/**
 * Answers as the documents service: every document has this creator, every actor this reason, and every
 * subject this day.
 */
export const serveDocuments = (world: ServiceWorld, primaryUser: () => string): Promise<void> =>
  world.serve(documentsRpc.notificationDetails, ({ subject_id }) => ({
    document: {
      name: 'Lease of the shop',
      primary_user: primaryUser(),
      reason: 'The rent is too high',
      answer_by: subject_id ? ANSWER_BY : null,
    },
  }));

export async function startApi(
  name: string,
  mailOptions: TestMailOptions = {},
  env: Record<string, string> = {},
): Promise<Api> {
  const world = await startServiceWorld(name, { service: 'notifications', startBrokerAdmin });
  const mail = await startTestMail(mailOptions);
  const sms = await smsStandIn();
  let primaryUser: string = randomUUID();
  await serveDocuments(world, () => primaryUser);
  const service = await createApp(readConfig({ ...envOf(world, mail.port, sms.env), ...env }));
  const call: Api['call'] = async (user, method, path, body) => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...user?.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // The caller names the type of the body.
    return { status: response.status, body: (await response.json()) as never };
  };
  return {
    world,
    mail,
    sms,
    service,
    call,
    inbox: async (user) => (await call(user, 'GET', '/notifications')).body as Inbox,
    change: (about, id) =>
      world.publish(
        documentsEvents.changed,
        {
          document_id: randomUUID(),
          status: 'pending',
          primary_user: randomUUID(),
          involved_users: [],
          ...about,
        },
        id ? { id } : {},
      ),
    createdBy: ({ userId }) => void (primaryUser = userId),
    mailsTo: (user) => mail.mailbox.list(mailAddress(user)),
    stop: async () => {
      await service.app.close();
      await service.close();
      await mail.stop();
      await sms.stop();
      await world.stop();
    },
  };
}
