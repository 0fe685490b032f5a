/**
 * The only file that moves money: every transfer is one call of the SQL function `ledger_transfer` or
 * `ledger_inside`.
 */
import { patience } from '@karaar/db/batching';
import { isUniqueViolation, type Tx, prepared } from '@karaar/db';
import { sql } from 'kysely';
import {
  ADJUSTMENTS_ACCOUNT,
  CARD_FEES_ACCOUNT,
  CLEARING_ACCOUNT,
  GIVEN_UP_ACCOUNT,
  HELD_ACCOUNT,
  REVENUE_ACCOUNT,
  SHORTFALL_ACCOUNT,
  SUSPENSE_ACCOUNT,
} from '../../db/migrations/ledger.sql.ts';
import type { Database, Db } from '../../db/schema.ts';
import { debitNotFound, idempotencyMismatch, insufficientBalance } from './ledger.errors.ts';

export type Transfer = {
  idempotencyKey: string;
  userId: string;
  /** Integer paise, above 0. */
  amountPaise: number;
  description: string;
  reference: string;
};
export type Moved = { transferId: string; balancePaise: number; replayed: boolean };

/** Moves money from the provider's clearing account into the user's wallet. */
export const credit = (db: Db, transfer: Transfer): Promise<Moved> =>
  move(db, 'credit', CLEARING_ACCOUNT, transfer);

/** Moves money from the user's wallet into revenue. Throws 402 if the balance is too small. */
export const debit = (db: Db, transfer: Transfer): Promise<Moved> =>
  move(db, 'debit', REVENUE_ACCOUNT, transfer);

/**
 * Gives a whole debit back from revenue to its wallet. The transfer's key is derived from the debit's, so
 * that the ledger reverses a debit at most once. Throws 404 if the key debited nothing, 409 on other values.
 */
export async function reverseDebit(
  db: Db,
  reversal: { debitKey: string; userId: string; amountPaise: number; description: string },
): Promise<Moved> {
  const { debitKey, ...transfer } = reversal;
  // No lock is needed, because transfers never change.
  const debited = await db
    .selectFrom('transfers')
    .select(['from_account', 'to_account', 'amount_paise', 'reference'])
    .where('idempotency_key', '=', debitKey)
    .executeTakeFirst();
  if (!debited || debited.to_account !== REVENUE_ACCOUNT) throw debitNotFound();
  if (debited.from_account !== reversal.userId.toLowerCase() || debited.amount_paise !== reversal.amountPaise)
    throw idempotencyMismatch();
  return move(db, 'credit', REVENUE_ACCOUNT, {
    ...transfer,
    idempotencyKey: `reversal:${debitKey}`,
    reference: debited.reference,
  });
}

type MoveRow = { transfer_id: string | null; balance_paise: number; replayed: boolean; refused: boolean };

async function move(db: Db, direction: 'credit' | 'debit', system: string, t: Transfer): Promise<Moved> {
  try {
    const { rows } = await prepared(
      'ledger_transfer',
      sql<MoveRow>`
      WITH ${patience([t])} SELECT l.transfer_id, l.balance_paise, l.replayed, l.refused FROM patience,
        LATERAL ledger_transfer(${t.idempotencyKey}, ${t.userId}::uuid, ${direction}, ${system}::uuid,
          ${t.amountPaise}::bigint, ${t.description}, ${t.reference}) l`,
    ).execute(db);
    return movedBy(t, rows[0]);
  } catch (error) {
    throw mismatchOr(error);
  }
}

/**
 * Moves money from the users' wallets into revenue, all in one statement, which locks rows in the order of
 * the users.
 * @returns for each debit a function that returns its result, or throws 402
 * @throws 409 on a reused key; then nothing was moved
 */
export async function debitAll(db: Db, debits: readonly Transfer[]): Promise<(() => Moved)[]> {
  const rows = await callLedger(db, { direction: 'debit', system: REVENUE_ACCOUNT }, debits);
  return debits.map((one, at) => () => movedBy(one, rows[at]));
}

function movedBy(t: Transfer, row: MoveRow | undefined): Moved {
  if (!row) throw new Error('ledger_transfer returned no row');
  if (row.refused || row.transfer_id === null) throw insufficientBalance(t.amountPaise, row.balance_paise);
  return { transferId: row.transfer_id, balancePaise: row.balance_paise, replayed: row.replayed };
}

async function callLedger(
  db: Db,
  { direction, system }: { direction: 'credit' | 'debit'; system: string },
  transfers: readonly Transfer[],
): Promise<MoveRow[]> {
  try {
    // A recordset, because PostgreSQL caches its plan; arrays are planned again for each length.
    const placed = JSON.stringify(transfers.map((transfer, place) => ({ ...transfer, place })));
    const { rows } = await prepared(
      'ledger_transfers',
      sql<MoveRow>`
      WITH ${patience(transfers)} SELECT l.transfer_id, l.balance_paise, l.replayed, l.refused FROM (
        SELECT asked.* FROM patience, jsonb_to_recordset(${placed}::jsonb) AS asked (
          "idempotencyKey" text, "userId" uuid, "amountPaise" bigint, description text, reference text, place int)
        ORDER BY "userId"
      ) a, LATERAL ledger_transfer(a."idempotencyKey", a."userId", ${direction}, ${system}::uuid, a."amountPaise",
        a.description, a.reference) l
      ORDER BY a.place`,
    ).execute(db);
    return rows;
  } catch (error) {
    throw mismatchOr(error);
  }
}

function mismatchOr(error: unknown): unknown {
  const state = error instanceof Error && 'code' in error ? error.code : undefined;
  // If another user's transfer holds the key, the insert violates the unique index before any comparison.
  return state === 'KW001' || isUniqueViolation(error) ? idempotencyMismatch() : error;
}

/**
 * Refuses the key of a debit from now on. Returns the transfer if the debit has already happened, else null.
 */
export async function refuseDebit(
  db: Db,
  debit: Pick<Transfer, 'idempotencyKey' | 'userId' | 'amountPaise'>,
): Promise<string | null> {
  try {
    const { rows } = await sql<{ id: string | null }>`
      SELECT ledger_refuse(${debit.idempotencyKey}, ${debit.userId}::uuid, ${debit.amountPaise}::bigint) AS id`.execute(
      db,
    );
    return rows[0]?.id ?? null;
  } catch (error) {
    throw mismatchOr(error);
  }
}

/** Returns true if a transfer has this key. */
export async function isBooked(db: Db, idempotencyKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('transfers')
    .select('id')
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a user's balance. A user without transfers has a balance of 0 and no account yet. */
export async function balanceOf(
  db: Db,
  userId: string,
): Promise<{ balancePaise: number; updatedAt: Date | undefined }> {
  const row = await db
    .selectFrom('accounts')
    .select(['balance_paise', 'updated_at'])
    .where('id', '=', userId)
    .where('kind', '=', 'user')
    .executeTakeFirst();
  return { balancePaise: row?.balance_paise ?? 0, updatedAt: row?.updated_at };
}

export type Movement = {
  id: string;
  /** Signed: the change of the user's balance. */
  amountPaise: number;
  balancePaise: number;
  description: string;
  createdAt: Date;
};

/** Days are in India's time zone, both ends included. */
export type MovementFilter = {
  type?: 'credit' | 'debit' | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export type MovementPage = {
  /** Transfer ids sort by time: newest first before this one, or oldest first after it. */
  before?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/** Returns a user's movements: newest first, or oldest first with `after` (an empty text: from the start). */
export async function movementsOf(
  db: Db,
  userId: string,
  filter: MovementFilter,
  page: MovementPage,
): Promise<Movement[]> {
  let query = db
    .selectFrom('entries')
    .innerJoin('transfers', 'transfers.id', 'entries.transfer_id')
    .select([
      'transfers.id',
      'entries.amount_paise',
      'transfers.balance_after_paise',
      'transfers.description',
      'transfers.created_at',
    ])
    .where('entries.account_id', '=', userId);
  if (filter.type) query = query.where('entries.amount_paise', filter.type === 'credit' ? '>' : '<', 0);
  if (filter.from) query = query.where('transfers.created_at', '>=', startOfDay(filter.from));
  if (filter.to) query = query.where('transfers.created_at', '<', startOfDay(filter.to, 1));
  if (page.before) query = query.where('entries.transfer_id', '<', page.before);
  if (page.after) query = query.where('entries.transfer_id', '>', page.after);
  const rows = await query
    .orderBy('entries.transfer_id', page.after === undefined ? 'desc' : 'asc')
    .limit(page.limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    amountPaise: row.amount_paise,
    balancePaise: row.balance_after_paise,
    description: row.description,
    createdAt: row.created_at,
  }));
}

const startOfDay = (day: string, plus = 0) =>
  sql<Date>`((${day}::date + ${plus}::int)::timestamp AT TIME ZONE 'Asia/Kolkata')`;

/** Moves money from a user's wallet back to the provider's clearing account, for a refund. Throws 402. */
export const takeBack = (db: Db, transfer: Transfer): Promise<Moved> =>
  move(db, 'debit', CLEARING_ACCOUNT, transfer);

/** `hold` moves disputed money out of a user's wallet, and `release` moves it back. */
export const hold = (db: Db, transfer: Transfer): Promise<Moved> => move(db, 'debit', HELD_ACCOUNT, transfer);
export const release = (db: Db, transfer: Transfer): Promise<Moved> =>
  move(db, 'credit', HELD_ACCOUNT, transfer);

/** Moves money from a user's wallet to the rests given up. Throws 402. */
export const giveUp = (db: Db, transfer: Transfer): Promise<Moved> =>
  move(db, 'debit', GIVEN_UP_ACCOUNT, transfer);

/** Moves money from suspense into the wallet that two admins decided on. */
export const creditFromSuspense = (db: Db, transfer: Transfer): Promise<Moved> =>
  move(db, 'credit', SUSPENSE_ACCOUNT, transfer);

const SYSTEM = {
  clearing: CLEARING_ACCOUNT,
  held: HELD_ACCOUNT,
  shortfall: SHORTFALL_ACCOUNT,
  suspense: SUSPENSE_ACCOUNT,
  adjustments: ADJUSTMENTS_ACCOUNT,
  cardFees: CARD_FEES_ACCOUNT,
} as const;

/** Moves money between two system accounts, once per key. */
export async function moveInside(
  db: Db,
  transfer: Omit<Transfer, 'userId'> & { from: keyof typeof SYSTEM; to: keyof typeof SYSTEM },
): Promise<void> {
  const { idempotencyKey, from, to, amountPaise, description, reference } = transfer;
  await sql`SELECT ledger_inside(${idempotencyKey}, ${SYSTEM[from]}::uuid, ${SYSTEM[to]}::uuid,
    ${amountPaise}::bigint, ${description}, ${reference})`.execute(db);
}

/** Returns a wallet's balance and locks its row until the transaction ends. */
export async function lockedBalance(tx: Tx<Database>, userId: string): Promise<number> {
  const row = await tx
    .selectFrom('accounts')
    .select('balance_paise')
    .where('id', '=', userId)
    .where('kind', '=', 'user')
    .forUpdate()
    .executeTakeFirst();
  return row?.balance_paise ?? 0;
}
