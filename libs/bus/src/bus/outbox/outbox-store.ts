import { sql, type Kysely } from 'kysely';
import { claimDue, inMs, isFree, unhurried } from '@karaar/db/claims';
import { prepared } from '@karaar/db';
import type { Envelope } from '../envelope.ts';
import { STREAM_DAYS } from '../streams.ts';

export type OutboxRow = {
  id: string;
  subject: string;
  type: string;
  version: number;
  occurred_at: Date;
  aggregate_id: string;
  aggregate_version: number;
  traceparent: string | null;
  data: unknown;
  attempts: number;
};

const OUTBOX_COLUMNS = [
  'id',
  'subject',
  'type',
  'version',
  'occurred_at',
  'aggregate_id',
  'aggregate_version',
  'traceparent',
  'data',
  'attempts',
] as const satisfies (keyof OutboxRow)[];

/** Acknowledged: the row may be deleted after its retention time. */
export type Acknowledged = { id: string; stream: string; created: string; seq: number };
/** Unknown outcome: publish again under the same id. */
export type Unknown = { id: string; reason: string; retryInMs: number; park: boolean; countAttempt: boolean };

/** Returns the event as it goes on the wire. */
export function toEnvelope(row: OutboxRow): Envelope<unknown> {
  return {
    id: row.id,
    type: row.type,
    version: row.version,
    occurredAt: row.occurred_at.toISOString(),
    aggregateId: row.aggregate_id,
    aggregateVersion: Number(row.aggregate_version),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    data: row.data,
  };
}

/**
 * Leases up to `limit` due events for `leaseMs`, skipping those of other relays. A claim or acknowledgement
 * that a database crash loses makes the event go out again under the same id.
 */
export async function claim<DB>(db: Kysely<DB>, limit: number, leaseMs: number): Promise<OutboxRow[]> {
  const rows = await claimDue<OutboxRow>(db, {
    table: 'outbox',
    key: 'id',
    due: sql`published_at IS NULL AND parked_at IS NULL AND next_attempt_at <= now() AND ${isFree('leased_until')}`,
    order: sql`id`,
    limit,
    take: sql`leased_until = ${inMs(leaseMs)}, attempts = attempts + 1`,
    mayBeLost: true,
    prepared: { name: 'claim_outbox', columns: OUTBOX_COLUMNS },
  });
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Marks events as published and stores the last position of their streams. An event stays unpublished if its
 * stream has been replaced since, because the acknowledgement came from the old stream.
 */
export async function markPublished<DB>(db: Kysely<DB>, acks: Acknowledged[]): Promise<void> {
  if (acks.length === 0) return;
  await prepared(
    'mark_published',
    sql`
    with ${unhurried}, ack as (
      select * from jsonb_to_recordset(${JSON.stringify(acks)}::jsonb)
        as a(id uuid, stream text, created text, seq bigint)
    ), alive as (
      update outbox_stream set last_seq = greatest(last_seq, far.seq)
      from (select stream, created, max(seq) as seq from ack group by stream, created) far
      where outbox_stream.stream = far.stream and outbox_stream.created = far.created
      returning outbox_stream.stream
    )
    update outbox set published_at = now(), leased_until = null, last_error = null
    from unhurried, ack join alive using (stream)
    -- The list lets the planner exclude partitions before execution.
    where outbox.id = ack.id and outbox.id = any(${acks.map(({ id }) => id)}::uuid[])`,
  ).execute(db);
}

/** Schedules events for another attempt, or parks them. */
export async function markUnknown<DB>(db: Kysely<DB>, faults: Unknown[]): Promise<void> {
  for (const fault of faults) {
    await sql`
      update outbox set leased_until = null, last_error = ${fault.reason},
        attempts = attempts - ${fault.countAttempt ? 0 : 1},
        next_attempt_at = now() + make_interval(secs => ${fault.retryInMs / 1_000}),
        parked_at = case when ${fault.park} then now() end
      where id = ${fault.id} and published_at is null`.execute(db);
  }
}

/** Resets the attempts of parked events; of all if no ids are given. Returns how many. */
export async function unpark<DB>(db: Kysely<DB>, ids?: string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update outbox set parked_at = null, attempts = 0, next_attempt_at = now()
    where parked_at is not null and (${ids ?? null}::uuid[] is null or id = any(${ids ?? null}::uuid[]))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}

/** Makes the events of the subjects due again, all or those since `from`. Returns how many. */
export async function reopen<DB>(db: Kysely<DB>, subjects: string, from?: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update outbox set published_at = null, leased_until = null, attempts = 0, next_attempt_at = now()
    where published_at > now() - make_interval(days => ${STREAM_DAYS}::int) and subject like ${subjects}
      and occurred_at >= ${from ?? new Date(0)}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export type OutboxState = { unpublished: number; parked: number; oldestSeconds: number };

/** Returns the number and age of waiting events, for the metrics. */
export async function outboxState<DB>(db: Kysely<DB>): Promise<OutboxState> {
  const { rows } = await sql<OutboxState>`
    select
      (select count(*)::int from outbox where published_at is null and parked_at is null) as "unpublished",
      (select count(*)::int from outbox where parked_at is not null) as "parked",
      (select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8 from outbox
        where published_at is null and parked_at is null) as "oldestSeconds"`.execute(db);
  return rows[0] ?? { unpublished: 0, parked: 0, oldestSeconds: 0 };
}
