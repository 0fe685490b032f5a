/** Gives completed payments back (ADR 0057): one admin up to a limit, two admins beyond it. */
import { adminActs } from '@karaar/contracts/admin';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { toRupees } from '@karaar/contracts/charge';
import type { ReversalState } from '@karaar/contracts/payments/http';
import { recordAct, type Act } from '@karaar/bus/admin-acts';
import { inTransaction, isUuid, type Tx } from '@karaar/db';
import { invalid } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { paymentNotFound, paymentReversed } from '../charges/charges.errors.ts';
import { findPayment, type PaymentRow } from '../charges/charges.repository.ts';
import { tryToCarryOut } from './carry-out.service.ts';
import {
  adminGone,
  alreadyAsked,
  notCompleted,
  notWaiting,
  reversalNotFound,
  sameAdmin,
} from './reversals.errors.ts';
import {
  findLive,
  findReversal,
  insertReversal,
  listReversals,
  lockAlone,
  markConfirmed,
  markDeclined,
  sumAlone,
  type Admin,
  type ReversalLine,
} from './reversals.repository.ts';

const DEFAULT_PAGE = 50;

/**
 * The name is stored with the act, because an admin can be renamed later. Throws 403 for a removed admin, 503
 * without auth.
 */
async function adminOf(ctx: Context, id: string): Promise<Admin> {
  const { admin } = await ctx.bus.request(authRpc.findAdmin, { admin_id: id });
  if (!admin) throw adminGone();
  return { id, name: admin.username };
}

/**
 * Requests a reversal. Within the admin's limit it is decided and carried out at once; while the wallet is
 * down it stays `decided`, and the sweeper finishes it. Repeating it by the same admin with the same reason
 * returns the same reversal.
 * @throws 404 for an unknown payment, 409 if it is not completed or has a reversal, 403 for a removed admin
 */
export async function reverse(
  ctx: Context,
  adminId: string,
  { paymentId, reason }: { paymentId: string; reason: string },
): Promise<ReversalLine> {
  const admin = await adminOf(ctx, adminId);
  const payment = isUuid(paymentId) ? await findPayment(ctx.db, paymentId) : undefined;
  if (!payment) throw paymentNotFound();
  const id = await ask(ctx, admin, { payment, reason });
  ctx.outbox.wake();
  return tryToCarryOut(ctx, await mustFind(ctx, id));
}

type ReversalRequest = { payment: PaymentRow; reason: string };

async function ask(ctx: Context, admin: Admin, { payment, reason }: ReversalRequest): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAlone(tx, admin.id);
    const live = await findLive(tx, payment.id);
    if (live?.requested_by === admin.id && live.reason === reason) return live.id;
    if (live?.state === 'done') throw paymentReversed();
    if (live) throw alreadyAsked();
    if (payment.status !== 'completed') throw notCompleted();
    const alone = (await sumAlone(tx, admin.id)) + payment.amount_paise <= ctx.config.REVERSAL_ALONE_PAISE;
    const id = await insertReversal(tx, {
      payment_id: payment.id,
      user_id: payment.user_id,
      amount_paise: payment.amount_paise,
      reason,
      two_people: !alone,
      requested_by: admin.id,
      requested_by_name: admin.name,
    });
    if (id === undefined) throw alreadyAsked();
    await record(ctx, tx, {
      admin,
      payment,
      reason,
      action: alone ? 'reversal.made' : 'reversal.requested',
    });
    return id;
  });
}

/**
 * Confirms another admin's request. Throws 404, 403 for the admin's own request or a removed admin, 409 if it
 * is decided.
 */
export async function confirm(ctx: Context, adminId: string, id: string): Promise<ReversalLine> {
  const admin = await adminOf(ctx, adminId);
  const reversal = await mustFind(ctx, id);
  if (reversal.requested_by === admin.id) throw sameAdmin();
  await inTransaction(ctx.db, async (tx) => {
    if (!(await markConfirmed(tx, id, admin))) throw notWaiting();
    const { reason } = reversal;
    await record(ctx, tx, { admin, payment: paymentOf(reversal), reason, action: 'reversal.confirmed' });
  });
  ctx.outbox.wake();
  return tryToCarryOut(ctx, await mustFind(ctx, id));
}

/**
 * Declines a reversal that waits for a second admin; the admin who requested it may decline it too. Throws
 * 404, 403 for a removed admin, 409 if it is decided.
 */
export async function decline(
  ctx: Context,
  adminId: string,
  { id, reason }: { id: string; reason: string },
): Promise<ReversalLine> {
  const admin = await adminOf(ctx, adminId);
  const reversal = await mustFind(ctx, id);
  await inTransaction(ctx.db, async (tx) => {
    if (!(await markDeclined(tx, id, { admin, reason }))) throw notWaiting();
    await record(ctx, tx, { admin, payment: paymentOf(reversal), reason, action: 'reversal.declined' });
  });
  ctx.outbox.wake();
  return mustFind(ctx, id);
}

/** Returns a page of reversals, newest first, with the next cursor. Throws 422 for an invalid cursor. */
export async function list(
  ctx: Context,
  page: { state?: ReversalState | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: ReversalLine[]; nextCursor: string | null }> {
  const { state, cursor, limit = DEFAULT_PAGE } = page;
  if (cursor !== undefined && !isUuid(cursor))
    throw invalid([{ loc: 'cursor', msg: 'is not the id of a reversal' }]);
  const rows = await listReversals(ctx.db, { state, before: cursor, limit: limit + 1 });
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

async function mustFind(ctx: Context, id: string): Promise<ReversalLine> {
  const reversal = isUuid(id) ? await findReversal(ctx.db, id) : undefined;
  if (!reversal) throw reversalNotFound();
  return reversal;
}

type Reversed = Pick<PaymentRow, 'id' | 'amount_paise'>;
const paymentOf = ({ payment_id: id, amount_paise }: ReversalLine): Reversed => ({ id, amount_paise });

const record = (
  ctx: Context,
  tx: Tx<Database>,
  act: { admin: Admin; payment: Reversed; reason: string; action: Act['action'] },
): Promise<void> =>
  recordAct(ctx.outbox, tx, adminActs.payments, {
    adminId: act.admin.id,
    action: act.action,
    targetId: act.payment.id,
    target: `₹${toRupees(act.payment.amount_paise).toFixed(2)}`,
    reason: act.reason,
  });
