import { gaugeOnScrape } from '@karaar/observability/telemetry';
import type { Db } from '../../db/schema.ts';
import { readWaiting, type Channel, type Waiting } from './deliveries.repository.ts';

/** Adds the length and age of the queue of each channel to the metrics. */
export function showQueues(db: Db, channels: readonly Channel[]): void {
  const ofEach = async (figure: keyof Waiting) =>
    Object.fromEntries(
      await Promise.all(
        channels.map(async (channel) => [channel, (await readWaiting(db, channel))[figure]] as const),
      ),
    );
  gaugeOnScrape(
    {
      name: 'notifications_deliveries_waiting',
      help: 'Messages that are due and not sent',
      label: 'channel',
    },
    () => ofEach('waiting'),
  );
  gaugeOnScrape(
    {
      name: 'notifications_oldest_delivery_seconds',
      help: 'For how long the oldest message is due',
      label: 'channel',
    },
    () => ofEach('age'),
  );
}
