/** The only file that reads and writes shares and payments. */
import { patience } from '@karaar/db/batching';
import { uuidv7, type Tx, prepared } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, DistributionsTable, PaymentsTable } from '../../db/schema.ts';
import type { SetShare } from './distribution.ts';

/** A user with more unpaid shares sees the newest. */
const MOST_DUE = 50;

export type PaymentRow = Selectable<PaymentsTable>;
export type Distribution = Selectable<DistributionsTable> & { shares: SetShare[] };

export async function findDistribution(db: Db, documentId: string): Promise<Distribution | undefined> {
  const distribution = await db
    .selectFrom('distributions')
    .selectAll()
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  if (!distribution) return undefined;
  const shares = await db
    .selectFrom('shares')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('position')
    .execute();
  return {
    ...distribution,
    shares: shares.map((share) => ({
      userId: share.user_id,
      percentage: Number(share.percentage),
      amountPaise: share.amount_paise,
      beforePaise: share.before_paise,
    })),
  };
}

/** Makes all changes of one document's charge wait for each other. */
export async function lockCharge(tx: Tx<Database>, documentId: string): Promise<void> {
  await sql`SELECT lock_charge(${documentId})`.execute(tx);
}

export async function dropDistribution(tx: Tx<Database>, documentId: string): Promise<void> {
  await tx.deleteFrom('distributions').where('document_id', '=', documentId).execute();
}

/** Makes snapshots of this document version and older ones stale. Needs the charge's lock. */
export async function stopCharge(tx: Tx<Database>, documentId: string, version: number): Promise<void> {
  await tx
    .insertInto('charge_stops')
    .values({ document_id: documentId, version })
    .onConflict((conflict) =>
      conflict
        .column('document_id')
        .doUpdateSet({ version: sql<number>`greatest(charge_stops.version, excluded.version)` }),
    )
    .execute();
}

/** Returns true if a snapshot of this document version is stale. Needs the charge's lock. */
export async function isStaleVersion(
  tx: Tx<Database>,
  documentId: string,
  version: number,
): Promise<boolean> {
  const row = await tx
    .selectFrom('charge_stops')
    .select('version')
    .where('document_id', '=', documentId)
    .where('version', '>=', version)
    .executeTakeFirst();
  return row !== undefined;
}

export async function replaceDistribution(
  tx: Tx<Database>,
  distribution: {
    documentId: string;
    documentName: string;
    totalPaise: number;
    durationDays: number;
    createdBy: string;
    documentVersion: number;
    shares: SetShare[];
  },
): Promise<void> {
  await dropDistribution(tx, distribution.documentId);
  await tx
    .insertInto('distributions')
    .values({
      document_id: distribution.documentId,
      document_name: distribution.documentName,
      total_paise: distribution.totalPaise,
      duration_days: distribution.durationDays,
      created_by: distribution.createdBy,
      document_version: distribution.documentVersion,
    })
    .execute();
  await tx
    .insertInto('shares')
    .values(
      distribution.shares.map((share, position) => ({
        document_id: distribution.documentId,
        user_id: share.userId,
        position,
        percentage: share.percentage,
        amount_paise: share.amountPaise,
        before_paise: share.beforePaise,
      })),
    )
    .execute();
}

const COLUMNS = [
  ...['id', 'document_id', 'document_name', 'user_id', 'amount_paise', 'status'],
  ...['started_at', 'transfer_id', 'version', 'created_at', 'completed_at'],
] as const satisfies readonly (keyof PaymentRow)[];
/** Named columns, because `*` in a cached plan fails after a migration adds a column. */
const columnsOf = (row: string) => sql.raw(COLUMNS.map((column) => `${row}.${column}`).join(', '));

/**
 * The reason why a share has no payment: no distribution, no share of this user, a zero share, a stale read,
 * too many failed payments.
 */
export type NotOpened = 'not_set_up' | 'no_share' | 'nothing_to_pay' | 'stale' | 'too_many_unfunded';

export type Opening = {
  documentId: string;
  documentVersion: number;
  documentName: string;
  userId: string;
  start: boolean;
  /**
   * The most of the user's payments that may have failed for lack of money within the hour; null for no
   * limit.
   */
  mostUnfunded: number | null;
};

/**
 * Returns the live payment of each share, and creates missing ones. With `start`, the payment is in progress
 * from here on, and the sweeper finishes it even if this process dies. One statement, which takes its locks
 * in a fixed order.
 */
export async function openPayments(
  db: Db,
  openings: readonly Opening[],
): Promise<readonly (PaymentRow | NotOpened)[]> {
  const newPayments = openings.map((opening, place) => ({ ...opening, id: uuidv7(), place }));
  // A recordset, because PostgreSQL caches its plan; arrays are planned again for each length.
  const { rows } = await prepared(
    'open_payments',
    sql<PaymentRow & { outcome: 'open' | NotOpened; place: number }>`
    WITH ${patience(openings)} SELECT a.place, o.outcome, ${columnsOf('(o.payment)')} FROM (
      SELECT asked.* FROM patience, jsonb_to_recordset(${JSON.stringify(newPayments)}::jsonb) AS asked (
        id uuid, "documentId" uuid, "documentVersion" int, "documentName" text, "userId" uuid, start boolean,
        "mostUnfunded" int, place int)
      ORDER BY "documentId"
    ) a, LATERAL open_payment(
      a.id, a."documentId", a."documentVersion", a."documentName", a."userId", a.start, a."mostUnfunded") o`,
  ).execute(db);
  return inPlace(openings, rows).map(({ outcome, ...opened }) => (outcome === 'open' ? opened : outcome));
}

/** Sorts rows into the order of the request. Throws if a row is missing. */
function inPlace<T extends { place: number }>(
  inputs: readonly unknown[],
  rows: readonly T[],
): Omit<T, 'place'>[] {
  const byPlace = new Map(rows.map(({ place, ...row }) => [place, row]));
  return inputs.map((_, at) => {
    const row = byPlace.get(at);
    if (!row) throw new Error('A payment of the batch has no row');
    return row;
  });
}

export async function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Marks a payment as started: from here on the sweeper finishes it even if this process dies. Returns
 * undefined if the payment is no longer pending.
 */
export async function markStarted(db: Db, id: string): Promise<PaymentRow | undefined> {
  return db
    .updateTable('payments')
    .set({ started_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
}

/** Ends the pending payments of a document whose debit was not requested yet. */
export async function cancelUnstarted(tx: Tx<Database>, documentId: string): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ status: 'failed', version: sql<number>`version + 1` })
    .where('document_id', '=', documentId)
    .where('status', '=', 'pending')
    .where('started_at', 'is', null)
    .execute();
}

export type Completion = { payment: { id: string; document_id: string }; transferId: string };

/**
 * Records the debits of payments, each once, with their events in the outbox. Repeating it returns the same
 * payments.
 */
export async function completePayments(
  db: Db,
  completions: readonly (Completion & { traceparent: string | null })[],
): Promise<readonly PaymentRow[]> {
  const placed = completions.map(({ payment, transferId, traceparent }, place) => ({
    id: payment.id,
    document: payment.document_id,
    transfer: transferId,
    event: uuidv7(),
    traceparent,
    place,
  }));
  const { rows } = await prepared(
    'complete_payments',
    sql<PaymentRow & { place: number }>`
    WITH ${patience(completions)} SELECT a.place, ${columnsOf('p')} FROM (
      SELECT asked.* FROM patience, jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) AS asked (
        id uuid, document uuid, transfer uuid, event uuid, traceparent text, place int)
      ORDER BY document
    ) a, LATERAL complete_payment(a.id, a.document, a.transfer, a.event, a.traceparent) p`,
  ).execute(db);
  return inPlace(completions, rows);
}

export async function markFailed(db: Db, id: string): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status: 'failed', version: sql<number>`version + 1` })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Returns how many payments of a user failed for lack of money in the last hour, at most `most`. */
export async function recentlyFailed(db: Db, userId: string, most: number): Promise<number> {
  const { rows } = await prepared(
    'recently_failed',
    sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM payments
      WHERE user_id = ${userId} AND status = 'failed' AND started_at > now() - interval '1 hour'
      ORDER BY id DESC LIMIT ${most}
    ) AS failed`,
  ).execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns all pending and completed payments of a document, at most one per share. */
export async function livePayments(db: Db, documentId: string): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('document_id', '=', documentId)
    .where('status', 'in', ['pending', 'completed'])
    .execute();
}

/** Returns a document's payments, newest first, including failed ones. */
export async function paymentsOfDocument(db: Db, documentId: string): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
}

export type DueRow = { document_id: string; document_name: string; amount_paise: number };

/**
 * Returns the user's shares, or the one in a document, without a payment that is made or under way, newest document
 * first.
 */
export async function dueShares(db: Db, userId: string, documentId?: string): Promise<DueRow[]> {
  return db
    .selectFrom('shares')
    .innerJoin('distributions', 'distributions.document_id', 'shares.document_id')
    .select(['shares.document_id', 'distributions.document_name', 'shares.amount_paise'])
    .where('shares.user_id', '=', userId)
    .where('shares.amount_paise', '>', 0)
    .$if(documentId !== undefined, (query) => query.where('shares.document_id', '=', documentId ?? ''))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.document_id', '=', 'shares.document_id')
            .whereRef('payments.user_id', '=', 'shares.user_id')
            .where(({ or, eb, and }) =>
              or([
                eb('payments.status', '=', 'completed'),
                and([eb('payments.status', '=', 'pending'), eb('payments.started_at', 'is not', null)]),
              ]),
            ),
        ),
      ),
    )
    .orderBy('shares.document_id', 'desc')
    .limit(MOST_DUE)
    .execute();
}

export async function paymentsOfUser(db: Db, userId: string): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
}

/** Returns payments whose process may have died between debit and outcome. */
export async function interruptedPayments(db: Db, afterMs: number): Promise<PaymentRow[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('status', '=', 'pending')
    .where('started_at', '<', new Date(Date.now() - afterMs))
    .orderBy('started_at')
    .limit(50)
    .execute();
}
