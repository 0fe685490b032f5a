/** How long the tables of events keep their rows; partitions in which nothing is kept are dropped. */
import { sql } from 'kysely';
import type { Retention } from '@karaar/db/partitions';
import { STREAM_DAYS } from './streams.ts';

/** Longer than an event can be redelivered: its time in the stream, in the outbox and as a dead letter. */
const INBOX_DAYS = STREAM_DAYS * 3;

const newerThan = (column: string, days: number) =>
  sql<boolean>`${sql.ref(column)} > now() - make_interval(days => ${days}::int)`;

/** Unpublished events are kept, whatever their age. */
export const busRetentions: readonly Retention[] = [
  {
    table: 'outbox',
    days: STREAM_DAYS,
    kept: sql<boolean>`(published_at is null or ${newerThan('published_at', STREAM_DAYS)})`,
  },
  { table: 'inbox', days: INBOX_DAYS, kept: newerThan('handled_at', INBOX_DAYS) },
];
