import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { isFinalRefusal } from '../provider/refusals.ts';
import { claimCardRefund, leaveCardRefund, settleCardRefund } from './card-refunds.repository.ts';
import type { ExceptionRow } from './exceptions.repository.ts';

/**
 * Sends payments back to their cards as two admins decided, each once by the exception's id, until `signal`
 * aborts. Returns how many refunds it tried.
 */
export async function sweepCardRefunds(ctx: Context, signal?: AbortSignal): Promise<number> {
  for (let looked = 0; ; looked += 1) {
    const row = signal?.aborted ? undefined : await claimCardRefund(ctx.db);
    if (!row) return looked;
    await carryOut(ctx, row);
  }
}

/** After an outage the refund is tried again later; a final refusal opens the exception again. */
async function carryOut(ctx: Context, row: ExceptionRow): Promise<void> {
  try {
    const taken = await ask(ctx, row);
    const refund = taken ?? { status: 'failed' as const, paymentId: row.subject };
    await inTransaction(ctx.db, (tx) => settleCardRefund(tx, row.id, refund));
  } catch (error) {
    ctx.logger.warn(
      { err: error, exceptionId: row.id },
      'a refund to a card is still open; it is tried again',
    );
  }
  await leaveCardRefund(ctx.db, row);
}

async function ask(ctx: Context, row: ExceptionRow) {
  const known = row.attempts > 1 ? await ctx.provider.findRefund(row.subject, row.id) : undefined;
  if (known) return known;
  try {
    return await ctx.provider.refund(row.subject, row.booked_paise, row.id);
  } catch (error) {
    if (isFinalRefusal(error)) return undefined;
    throw error;
  }
}
