/**
 * Detects that the broker has lost acknowledged events, and refills its stream.
 *
 * Postgres is the system of record; a stream is derived from it. The broker does not sync each message to
 * disk (Debian's nats-server 2.9 has no setting for it), so a machine crash or disk loss can truncate or
 * remove a stream. Each relay therefore compares the stream with the outbox after every (re)connection and
 * periodically.
 */
import { sql, type Kysely } from 'kysely';
import { inTransaction } from '@karaar/db';
import type { Link } from '../link.ts';
import { rebuilt } from '../metrics.ts';
import { reopen } from '../outbox/outbox-store.ts';
import { ensureStream, renewStream } from '../streams.ts';

type Marker = { created: string; last_seq: number };

/**
 * Makes sure that a stream exists and holds all published events; otherwise makes every stored event due
 * again. Consumers that already applied them skip them by their inbox.
 *
 * @returns the stream's creation time, which distinguishes it from a later stream of the same name
 */
export async function ensureContinuity<DB>(
  db: Kysely<DB>,
  link: Link,
  stream: string,
  service: string,
): Promise<string> {
  const info = await ensureStream(link, service);
  const marker = await readMarker(db, stream);
  if (marker?.created === info.created && info.last_seq >= marker.last_seq) return info.created;

  return await db.connection().execute(async (connection) => {
    // One relay repairs the stream; the others then find it repaired.
    await sql`select pg_advisory_lock(hashtext('outbox_stream'), hashtext(${stream}))`.execute(connection);
    try {
      return await repair(connection, link, stream, service);
    } finally {
      await sql`select pg_advisory_unlock(hashtext('outbox_stream'), hashtext(${stream}))`.execute(
        connection,
      );
    }
  });
}

async function repair<DB>(db: Kysely<DB>, link: Link, stream: string, service: string): Promise<string> {
  const marker = await readMarker(db, stream);
  let info = await ensureStream(link, service);
  if (marker?.created === info.created) {
    if (info.last_seq >= marker.last_seq) return info.created;
    // The end of the stream is gone, so new events would get sequence numbers that consumers have already
    // seen.
    info = await renewStream(link, info.created);
  }
  const { created, last_seq } = info;
  // Update the marker first: a relay that waits for its row then sees that its acknowledgement is void.
  const events = await inTransaction(db, async (tx) => {
    await sql`
      insert into outbox_stream (stream, created, last_seq) values (${stream}, ${created}, ${last_seq})
      on conflict (stream) do update set created = excluded.created, last_seq = excluded.last_seq`.execute(
      tx,
    );
    return marker ? await reopen(tx, `evt.${service}.%`) : 0;
  });
  if (marker) {
    rebuilt.inc({ service: link.name });
    link.logger.warn({ stream, events }, 'the broker had lost events; they are published again');
  }
  return created;
}

async function readMarker<DB>(db: Kysely<DB>, stream: string): Promise<Marker | undefined> {
  const { rows } = await sql<Marker>`
    select created, last_seq from outbox_stream where stream = ${stream}`.execute(db);
  return rows[0];
}

/** Returns the streams that this outbox has ever published to. */
export async function knownStreams<DB>(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ stream: string }>`select stream from outbox_stream`.execute(db);
  return rows.map((row) => row.stream);
}
