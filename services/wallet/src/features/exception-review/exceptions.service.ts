import { adminActs } from '@karaar/contracts/admin';
import type { ExceptionState } from '@karaar/contracts/wallet/exceptions';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { askForRun, readRun, type ObservedRun } from '../reconciliation/reconciliation.repository.ts';
import { listExceptionRows, type ExceptionRow } from '../exceptions/exceptions.repository.ts';

const PAGE = 50;

/** Returns a page, newest first; `nextCursor` is null on the last one. */
export async function listExceptions(
  ctx: Context,
  query: { state?: ExceptionState | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<{ rows: ExceptionRow[]; nextCursor: string | null }> {
  const limit = query.limit ?? PAGE;
  const found = await listExceptionRows(ctx.db, {
    state: query.state,
    before: query.cursor,
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

export const lastRun = (ctx: Context): Promise<ObservedRun> => readRun(ctx.db);

/** Makes the comparison due now, and records that in the audit log. */
export async function compareNow(ctx: Context, adminId: string): Promise<ObservedRun> {
  return inTransaction(ctx.db, async (tx) => {
    await recordAct(ctx.outbox, tx, adminActs.wallet, {
      adminId,
      action: 'reconciliation.asked',
      target: '',
    });
    return askForRun(tx);
  });
}
