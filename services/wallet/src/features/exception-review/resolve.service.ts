/**
 * Two admins settle an exception: one proposes with a reason, another confirms, and the money moves in the
 * transaction of the confirmation. Both acts are in the audit log.
 */
import { adminActs } from '@karaar/contracts/admin';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { toRupees } from '@karaar/contracts/charge';
import type { Resolution } from '@karaar/contracts/wallet/exceptions';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction, type Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { creditFromSuspense, moveInside } from '../ledger/ledger.repository.ts';
import {
  exceptionChanged,
  exceptionNotFound,
  exceptionNotOpen,
  noSuchUser,
  nothingProposed,
  resolutionUnfit,
  sameAdmin,
} from './exceptions.errors.ts';
import {
  changeException,
  lockException,
  NO_PROPOSAL,
  type ExceptionRow,
} from '../exceptions/exceptions.repository.ts';
import { resolutionsOf } from './resolutions.ts';

export type Proposal = {
  version: number;
  resolution: Resolution;
  reason: string;
  /** The user whose wallet is credited, by default the order's user. */
  userId?: string | undefined;
};

/**
 * Proposes a resolution, which replaces an earlier proposal.
 * @throws 404, 409 if the exception changed or is resolved, or the resolution does not fit, 422 for an
 * unknown user
 */
export async function propose(
  ctx: Context,
  adminId: string,
  id: string,
  proposal: Proposal,
): Promise<ExceptionRow> {
  const { resolution, reason, version } = proposal;
  if (proposal.userId !== undefined) await requireUser(ctx, proposal.userId);
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockOpen(tx, id, version);
    if (!resolutionsOf(row).includes(resolution)) throw resolutionUnfit();
    const userId = resolution === 'credit_user' ? (proposal.userId ?? row.user_id) : null;
    if (resolution === 'credit_user' && userId === null) throw noSuchUser();
    await recordAct(ctx.outbox, tx, adminActs.wallet, {
      ...aboutAct(row, adminId),
      action: 'exception.proposed',
      reason,
    });
    return changeException(tx, row, {
      ...NO_PROPOSAL,
      state: 'proposed',
      resolution,
      reason,
      credit_user_id: userId,
      proposed_by: adminId,
      proposed_at: new Date(),
    });
  });
}

/**
 * Confirms another admin's proposal in the version that the admin has read, and carries it out.
 * @throws 404, 409 for the admin's own proposal, or if the exception changed or is not proposed, 422 for a
 * deleted user
 */
export async function confirm(
  ctx: Context,
  adminId: string,
  id: string,
  version: number,
): Promise<ExceptionRow> {
  const read = await ctx.db
    .selectFrom('payment_exceptions')
    .select('credit_user_id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (read?.credit_user_id) await requireUser(ctx, read.credit_user_id);
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockOpen(tx, id, version);
    if (row.state !== 'proposed' || row.resolution === null || row.resolution === 'settled_itself')
      throw nothingProposed();
    if (row.proposed_by === adminId) throw sameAdmin();
    await MOVES[row.resolution](tx, row);
    await recordAct(ctx.outbox, tx, adminActs.wallet, {
      ...aboutAct(row, adminId),
      action: 'exception.confirmed',
      reason: row.reason ?? '',
    });
    return changeException(tx, row, {
      state: 'resolved',
      confirmed_by: adminId,
      resolved_at: new Date(),
      ...(row.resolution === 'refund_card' ? { refund_state: 'asked', next_check_at: new Date() } : {}),
    });
  });
}

async function lockOpen(tx: Tx<Database>, id: string, version: number): Promise<ExceptionRow> {
  const row = await lockException(tx, id);
  if (!row) throw exceptionNotFound();
  if (row.state === 'resolved') throw exceptionNotOpen();
  if (row.version !== version) throw exceptionChanged();
  return row;
}

async function requireUser(ctx: Context, userId: string): Promise<void> {
  const { user } = await ctx.bus.request(authRpc.findUser, { user_id: userId });
  if (!user) throw noSuchUser();
}

const aboutAct = (row: ExceptionRow, adminId: string) => ({
  adminId,
  targetId: row.subject,
  target: `₹${toRupees(row.amount_paise).toFixed(2)}`,
});

const describe = (row: ExceptionRow) => ({ reference: row.subject, amountPaise: Math.abs(row.booked_paise) });

async function outOfBooks(tx: Tx<Database>, row: ExceptionRow): Promise<void> {
  const description = 'Difference to the card provider, decided';
  const idempotencyKey = `exception-decided:${row.id}:${row.version}`;
  if (row.kind === 'wallet_short') {
    const [from, to] = ['adjustments', 'shortfall'] as const;
    const { amount_paise: amountPaise, subject: reference } = row;
    return moveInside(tx, { idempotencyKey, from, to, amountPaise, description, reference });
  }
  if (row.booked_paise === 0) return;
  const [from, to] =
    row.booked_paise > 0 ? (['suspense', 'adjustments'] as const) : (['adjustments', 'suspense'] as const);
  await moveInside(tx, { ...describe(row), idempotencyKey, from, to, description });
}

const MOVES: Record<Resolution, (tx: Tx<Database>, row: ExceptionRow) => Promise<void>> = {
  credit_user: async (tx, row) => {
    if (row.credit_user_id === null) throw nothingProposed();
    await creditFromSuspense(tx, {
      ...describe(row),
      idempotencyKey: `exception-credit:${row.id}:${row.version}`,
      userId: row.credit_user_id,
      description: 'Wallet top-up',
    });
  },
  refund_card: (tx, row) =>
    moveInside(tx, {
      ...describe(row),
      idempotencyKey: `exception-refund:${row.id}:${row.version}`,
      from: 'suspense',
      to: 'clearing',
      description: 'Refund to card',
    }),
  written_off: outOfBooks,
  settled_elsewhere: outOfBooks,
};
