/**
 * Records differences between the card provider's books and ours. The money that the provider has beyond our
 * books stays in the suspense account until two admins decide, so that the clearing account always equals the
 * provider's books (ADR 0065).
 */
import type { ExceptionKind } from '@karaar/contracts/wallet/exceptions';
import type { Tx } from '@karaar/db';
import type { Database } from '../../db/schema.ts';
import { moveInside } from '../ledger/ledger.repository.ts';
import {
  changeException,
  insertException,
  lockOf,
  NO_PROPOSAL,
  type ExceptionRow,
  type NewException,
} from './exceptions.repository.ts';

export type Difference = Pick<NewException, 'kind' | 'subject' | 'cause'> & {
  amountPaise: number;
  /** Paise that the provider has beyond our books; negative if it has less. */
  bookPaise: number;
  paymentId?: string | null;
  orderId?: string | null;
  userId?: string | null;
};

/**
 * Records a difference once, however often it is found. A difference that admins have resolved stays
 * resolved, unless its amount has changed; a proposal about an earlier amount is void.
 */
export async function noteDifference(tx: Tx<Database>, found: Difference): Promise<void> {
  const known = await lockOf(tx, found.kind, found.subject);
  const bookPaise = found.bookPaise - sumOf(known.filter(isDecided));
  const [newest] = known;
  if (newest && newest.state !== 'resolved') return seeAgain(tx, newest, found, bookPaise);
  if (newest && isDecided(newest) && newest.amount_paise === found.amountPaise && bookPaise === 0) return;
  const row = await insertException(tx, {
    kind: found.kind,
    subject: found.subject,
    cause: found.cause,
    amount_paise: found.amountPaise,
    payment_id: found.paymentId ?? null,
    order_id: found.orderId ?? null,
    user_id: found.userId ?? null,
  });
  // Another transaction recorded it at the same moment, and has committed.
  if (!row) return noteDifference(tx, found);
  await book(tx, row, bookPaise);
}

/** Closes an open exception because both books agree now, and moves its money out of suspense. */
export async function settleItself(tx: Tx<Database>, kind: ExceptionKind, subject: string): Promise<void> {
  const [newest] = await lockOf(tx, kind, subject);
  if (!newest || newest.state === 'resolved') return;
  const row = await book(tx, newest, 0);
  await changeException(tx, row, {
    ...NO_PROPOSAL,
    state: 'resolved',
    resolution: 'settled_itself',
    resolved_at: new Date(),
  });
}

/** Returns true if two admins have decided: then nothing else moves the subject's money. */
export async function isAnswered(tx: Tx<Database>, kind: ExceptionKind, subject: string): Promise<boolean> {
  return (await lockOf(tx, kind, subject)).some(isDecided);
}

const isDecided = (row: ExceptionRow): boolean => row.confirmed_by !== null;
const sumOf = (rows: readonly ExceptionRow[]): number =>
  rows.reduce((sum, { booked_paise }) => sum + booked_paise, 0);

async function seeAgain(
  tx: Tx<Database>,
  row: ExceptionRow,
  found: Difference,
  bookPaise: number,
): Promise<void> {
  if (row.amount_paise === found.amountPaise && row.booked_paise === bookPaise) {
    await tx
      .updateTable('payment_exceptions')
      .set({ seen_at: new Date() })
      .where('id', '=', row.id)
      .execute();
    return;
  }
  const booked = await book(tx, row, bookPaise);
  await changeException(tx, booked, {
    ...NO_PROPOSAL,
    cause: found.cause,
    amount_paise: found.amountPaise,
    seen_at: new Date(),
  });
}

/** Sets the paise that an exception holds in suspense. The change is one transfer, keyed by the version. */
async function book(tx: Tx<Database>, row: ExceptionRow, paise: number): Promise<ExceptionRow> {
  const more = paise - row.booked_paise;
  if (more === 0) return row;
  await moveInside(tx, {
    idempotencyKey: `exception:${row.id}:${row.version}`,
    from: more > 0 ? 'clearing' : 'suspense',
    to: more > 0 ? 'suspense' : 'clearing',
    amountPaise: Math.abs(more),
    description: 'Difference to the card provider',
    reference: row.subject,
  });
  return changeException(tx, row, { booked_paise: paise });
}
