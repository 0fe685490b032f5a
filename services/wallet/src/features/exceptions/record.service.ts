/**
 * Notes where the card provider's books differ from ours. What the provider has beyond our books lies in the account of
 * suspense until two admins have decided, so that the clearing account always says what the provider says (ADR 0065).
 */
import type { ExceptionKind } from '@karaar/contracts/wallet/exceptions';
import type { Tx } from '@karaar/platform/db-kit';
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
  /** Paise, as an admin is to see them. */
  amountPaise: number;
  /** Paise that the provider has beyond our books; below zero: that it lacks. */
  bookPaise: number;
  paymentId?: string | null;
  orderId?: string | null;
  userId?: string | null;
};

/**
 * Records a difference once, however often it is found. A difference that admins have resolved stays resolved, unless
 * its amount has changed; a proposal about an earlier amount is void.
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
  // Another transaction noted it at the same moment, and has committed.
  if (!row) return noteDifference(tx, found);
  await book(tx, row, bookPaise);
}

/** Both books agree by now: what was open of it is closed, and what it put into suspense goes back. */
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

/** Whether two admins have decided about it: then nothing else moves its money. */
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

/** Has an exception hold so much in suspense; the change is one transfer, whose key is the version. */
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
