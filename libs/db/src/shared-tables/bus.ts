/**
 * The tables of every service with events: outbox, inbox and dead letters, and the state of the relay's
 * stream.
 */
import { sql, type Kysely } from 'kysely';
import { addPartitions } from '../partitions/index.ts';

/**
 * Creates `outbox`, `outbox_stream`, `inbox` and `dead_letter`.
 *
 * outbox        events of this service, written in the transaction of the change and published later
 * outbox_stream the broker stream of these events and its last position, to detect that the broker lost events
 * inbox         the events that each handler has applied
 * dead_letter   events that a handler could not apply, with the reason
 *
 * `outbox` and `inbox` are partitioned by month, so that old rows are removed by dropping a table
 * (`busRetentions`), at the same cost for any number of rows.
 */
export async function busTables<DB>(db: Kysely<DB>): Promise<void> {
  await sql`
    create table outbox (
      id uuid primary key,
      subject text not null,
      type text not null,
      version integer not null,
      occurred_at timestamptz not null default now(),
      aggregate_id text not null,
      aggregate_version bigint not null,
      traceparent text,
      data json not null,
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      leased_until timestamptz,
      published_at timestamptz,
      parked_at timestamptz,
      last_error text
    ) partition by range (id)`.execute(db);
  await sql`
    create index outbox_unpublished on outbox (id)
    where published_at is null and parked_at is null`.execute(db);
  await sql`create index outbox_parked on outbox (parked_at) where parked_at is not null`.execute(db);
  await addPartitions(db, { table: 'outbox', key: 'id', months: 1 });
  await sql`
    create table outbox_stream (
      stream text primary key,
      created text not null,
      last_seq bigint not null
    )`.execute(db);
  // Event ids are texts here; collation C sorts UUIDv7 texts by time.
  await sql`
    create table inbox (
      event_id text collate "C" not null,
      handler text not null,
      handled_at timestamptz not null default now(),
      primary key (event_id, handler)
    ) partition by range (event_id)`.execute(db);
  await addPartitions(db, { table: 'inbox', key: 'event_id', months: 1 });
  await sql`
    create table dead_letter (
      event_id text not null,
      handler text not null,
      subject text not null,
      message text not null,
      reason text not null,
      deliveries integer not null,
      created_at timestamptz not null default now(),
      primary key (event_id, handler)
    )`.execute(db);
}
