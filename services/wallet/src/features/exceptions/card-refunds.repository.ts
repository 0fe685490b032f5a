/**
 * Payments that two admins send back to their cards. The exception's id identifies the refund at the
 * provider.
 */
import { isUuid } from '@karaar/db';
import type { Tx } from '@karaar/db';
import { claimDue, inMs, isFree } from '@karaar/db/claims';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';
import { moveInside } from '../ledger/ledger.repository.ts';
import type { ProviderRefund } from '../provider/card-provider.ts';
import { changeException, lockException, NO_PROPOSAL, type ExceptionRow } from './exceptions.repository.ts';

const LEASE_MS = 60_000;
/** Claims the next due refund that no worker holds. */
export async function claimCardRefund(db: Db): Promise<ExceptionRow | undefined> {
  const [row] = await claimDue<ExceptionRow>(db, {
    table: 'payment_exceptions',
    key: 'id',
    due: sql`refund_state = 'asked' AND next_check_at <= now() AND ${isFree('lease_until')}`,
    order: sql`next_check_at`,
    limit: 1,
    take: sql`attempts = attempts + 1, lease_until = ${inMs(LEASE_MS)}`,
  });
  return row;
}

/** Releases a refund that is still open; a worker tries it again after growing pauses. */
export async function leaveCardRefund(db: Db, row: ExceptionRow): Promise<void> {
  await sql`
    UPDATE payment_exceptions SET lease_until = NULL,
      next_check_at = now() + least(greatest(interval '30 seconds', (now() - resolved_at) / 2), interval '6 hours')
    WHERE id = ${row.id} AND attempts = ${row.attempts} AND refund_state = 'asked'`.execute(db);
}

/**
 * Sets an exception to the state that the provider reports for its refund. After a failed refund the
 * exception is open again, with its money in suspense.
 * @param name the exception's id, which the refund has as its receipt
 * @returns true if there is such an exception
 */
export async function settleCardRefund(
  tx: Tx<Database>,
  name: string,
  refund: Pick<ProviderRefund, 'status' | 'paymentId'> & { id?: string },
): Promise<boolean> {
  const row = isUuid(name) ? await lockException(tx, name) : undefined;
  if (!row || row.subject !== refund.paymentId) return false;
  // The exception was opened again after a failure. The provider never takes a failure back, so a repeated
  // report of it changes nothing.
  if (row.refund_state === null) return refund.status === 'failed';
  const id = refund.id ?? row.provider_refund_id;
  if (refund.status === 'failed') await reopen(tx, row, id);
  else if (refund.status === 'processed' && row.refund_state !== 'done')
    await changeException(tx, row, { refund_state: 'done', provider_refund_id: id });
  else if (row.provider_refund_id !== id) await changeException(tx, row, { provider_refund_id: id });
  return true;
}

async function reopen(tx: Tx<Database>, row: ExceptionRow, refundId: string | null): Promise<void> {
  await moveInside(tx, {
    idempotencyKey: `exception-back:${row.id}:${row.version}`,
    from: 'clearing',
    to: 'suspense',
    amountPaise: row.booked_paise,
    description: 'Refund to card not possible',
    reference: row.subject,
  });
  await changeException(tx, row, {
    ...NO_PROPOSAL,
    cause: 'refund_failed',
    refund_state: null,
    provider_refund_id: refundId,
    next_check_at: new Date(),
    lease_until: null,
  });
}
