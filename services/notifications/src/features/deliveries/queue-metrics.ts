import { gaugeOnScrape } from '@karaar/observability/telemetry';
import type { Db } from '../../db/schema.ts';
import { readWaiting, type Waiting } from './deliveries.repository.ts';

/** Adds the length and age of the queues of e-mails and SMS to the metrics. */
export function showQueues(db: Db): void {
  const ofEach = async (figure: keyof Waiting) => ({
    email: (await readWaiting(db, 'email'))[figure],
    sms: (await readWaiting(db, 'sms'))[figure],
  });
  gaugeOnScrape(
    { name: 'notifications_mails_waiting', help: 'Messages that are due and not sent', label: 'channel' },
    () => ofEach('waiting'),
  );
  gaugeOnScrape(
    {
      name: 'notifications_oldest_mail_seconds',
      help: 'For how long the oldest message is due',
      label: 'channel',
    },
    () => ofEach('age'),
  );
}
