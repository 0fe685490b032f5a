import type { Tx } from '@karaar/db';
import { type GrownTile, type TileReader, splitHashes } from '@karaar/proof/log/tiles';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, LogCheckpointsTable, LogCommitmentsTable } from '../../db/schema.ts';
import type { Witness } from '../../context.ts';

export type CheckpointRow = Selectable<LogCheckpointsTable>;
export type CommitmentRow = Selectable<LogCommitmentsTable> & { document_code: string };

/** One advisory lock for all code that extends the log; the number is arbitrary. */
const LOCK = 7_236_118_077;

/** Prevents other transactions from extending the log until this transaction ends. */
export async function lockLog(tx: Tx<Database>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx);
}

/**
 * Identifies the history of the database. It changes after a recovery to an earlier time or a failover (the
 * server's timeline), and after a restore (the database).
 */
export async function historyOf(db: Db): Promise<string> {
  const { rows } = await sql<{ history: string }>`
    SELECT concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
      (SELECT oid FROM pg_database WHERE datname = current_database())) AS history
    FROM pg_control_system()`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('Postgres returned no history');
  return row.history;
}

export async function queueCommitment(
  tx: Tx<Database>,
  row: { documentId: string; sha256: string; sealedAt: string; salt: Uint8Array },
): Promise<void> {
  await tx
    .insertInto('log_commitments')
    .values({
      document_id: row.documentId,
      sha256: row.sha256,
      sealed_at: row.sealedAt,
      salt: Buffer.from(row.salt),
    })
    .execute();
}

const commitments = (db: Db) =>
  db
    .selectFrom('log_commitments')
    .innerJoin('documents', 'documents.id', 'log_commitments.document_id')
    .selectAll('log_commitments')
    .select('documents.document_code');

export function commitmentsWithoutPlace(db: Db, limit: number): Promise<CommitmentRow[]> {
  return commitments(db)
    .where('confirmed_at', 'is', null)
    .where('entry_index', 'is', null)
    .orderBy('queued_at')
    .orderBy('document_id')
    .limit(limit)
    .execute();
}

export function unconfirmedCommitments(db: Db, limit: number): Promise<CommitmentRow[]> {
  return commitments(db)
    .where('confirmed_at', 'is', null)
    .where('entry_index', 'is not', null)
    .orderBy('entry_index')
    .limit(limit)
    .execute();
}

export function findCommitment(
  db: Db,
  by: { documentId: string } | { sha256: string },
): Promise<CommitmentRow | undefined> {
  const query = commitments(db);
  return 'documentId' in by
    ? query.where('document_id', '=', by.documentId).executeTakeFirst()
    : query.where('sha256', '=', by.sha256).executeTakeFirst();
}

export async function placeCommitment(tx: Tx<Database>, documentId: string, index: number): Promise<void> {
  await tx
    .updateTable('log_commitments')
    .set({ entry_index: index })
    .where('document_id', '=', documentId)
    .where('entry_index', 'is', null)
    .execute();
}

/** Returns true for the caller whose statement changed the row. */
export async function confirmCommitment(tx: Tx<Database>, documentId: string): Promise<boolean> {
  const result = await tx
    .updateTable('log_commitments')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('document_id', '=', documentId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function insertEntries(
  tx: Tx<Database>,
  first: number,
  entries: readonly Uint8Array[],
): Promise<void> {
  await tx
    .insertInto('log_entries')
    .values(entries.map((data, i) => ({ index: first + i, data: Buffer.from(data) })))
    .execute();
}

/** Returns entries from `first` on, in order; fewer at the end of the log. */
export async function readEntries(db: Db, first: number, count: number): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('log_entries')
    .select('data')
    .where('index', '>=', first)
    .where('index', '<', first + count)
    .orderBy('index')
    .execute();
  return rows.map((row) => row.data);
}

export async function readTile(db: Db, level: number, index: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('log_tiles')
    .select('hashes')
    .where('level', '=', level)
    .where('index', '=', index)
    .executeTakeFirst();
  return row?.hashes;
}

/** Returns a reader for one computation, which reads each stored tile once. */
export function tileReader(db: Db, newer: readonly GrownTile[] = []): TileReader {
  const known = new Map(newer.map((tile) => [`${tile.level}/${tile.index}`, tile.hashes]));
  return async ({ level, index }) => {
    const key = `${level}/${index}`;
    const hashes = known.get(key) ?? splitHashes((await readTile(db, level, index)) ?? Buffer.of());
    known.set(key, hashes);
    return hashes;
  };
}

export async function saveTile(tx: Tx<Database>, tile: GrownTile): Promise<void> {
  const hashes = Buffer.concat(tile.hashes);
  await tx
    .insertInto('log_tiles')
    .values({ level: tile.level, index: tile.index, hashes })
    .onConflict((conflict) => conflict.columns(['level', 'index']).doUpdateSet({ hashes }))
    .execute();
}

export function latestCheckpoint(db: Db): Promise<CheckpointRow | undefined> {
  return db.selectFrom('log_checkpoints').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst();
}

export type Quorum = { quorum: number; witnesses: readonly Pick<Witness, 'key'>[] };

/**
 * Returns the newest checkpoint that a quorum has cosigned.
 * @param of `origin`: only checkpoints of this log name; `above`: only trees with this leaf
 */
export function latestConfirmed(
  db: Db,
  { quorum, witnesses }: Quorum,
  { origin, above = -1 }: { origin?: string; above?: number },
): Promise<CheckpointRow | undefined> {
  const names = witnesses.map(({ key }) => key.name);
  let query = db.selectFrom('log_checkpoints').selectAll().where('size', '>', above);
  // Counts down from the newest checkpoint and ends at the first with enough cosignatures.
  if (quorum > 0)
    query = query.where(
      sql<boolean>`(SELECT count(*) FROM log_cosignatures AS c
        WHERE c.size = log_checkpoints.size AND c.witness = ANY(${names})) >= ${quorum}`,
    );
  if (origin !== undefined) query = query.where(sql<boolean>`starts_with(note, ${`${origin}\n`})`);
  return query.orderBy('size', 'desc').limit(1).executeTakeFirst();
}

export async function insertCheckpoint(
  tx: Tx<Database>,
  row: { size: number; root: Uint8Array; note: string },
): Promise<void> {
  await tx
    .insertInto('log_checkpoints')
    .values({ size: row.size, root: Buffer.from(row.root), note: row.note })
    .execute();
}

export async function cosignatureLines(db: Db, size: number): Promise<string[]> {
  const rows = await db
    .selectFrom('log_cosignatures')
    .select('line')
    .where('size', '=', size)
    .orderBy('witness')
    .execute();
  return rows.map((row) => row.line);
}

export async function restartNotes(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('log_restarts')
    .select('note')
    .orderBy('created_at')
    .orderBy('cut_size')
    .execute();
  return rows.map((row) => row.note);
}

export async function insertRestart(
  tx: Tx<Database>,
  row: { cut_size: number; note: string },
): Promise<void> {
  await tx.insertInto('log_restarts').values(row).execute();
}

export async function cosignedSize(db: Db, witness: string): Promise<number> {
  const row = await db
    .selectFrom('log_cosignatures')
    .select((of) => of.fn.max('size').as('size'))
    .where('witness', '=', witness)
    .executeTakeFirst();
  return Number(row?.size ?? 0);
}

/** @param row `lines`: one for each key of the witness */
export async function saveCosignature(
  db: Db,
  { size, witness, lines }: { size: number; witness: string; lines: string },
): Promise<void> {
  await db
    .insertInto('log_cosignatures')
    .values({ size, witness, line: lines })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
