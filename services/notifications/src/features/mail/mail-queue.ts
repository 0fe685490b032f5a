import { gaugeOnScrape } from '@karaar/observability/telemetry';
import type { Db } from '../../db/schema.ts';
import { readWaiting } from './deliveries.repository.ts';

/** Adds the length and age of the mail queue to the metrics. */
export function showMailQueue(db: Db): void {
  gaugeOnScrape(
    { name: 'notifications_mails_waiting', help: 'E-mails that are due and not sent', label: 'channel' },
    async () => ({ email: (await readWaiting(db)).waiting }),
  );
  gaugeOnScrape(
    {
      name: 'notifications_oldest_mail_seconds',
      help: 'For how long the oldest e-mail is due',
      label: 'channel',
    },
    async () => ({ email: (await readWaiting(db)).age }),
  );
}
