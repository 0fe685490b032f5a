/**
 * Giving a completed payment back (ADR 0057): by one admin up to a limit, beyond it once a second one has confirmed. What
 * is decided is carried out in `carry-out.service.ts`.
 */
import { adminActs } from '@karaar/contracts/admin';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { toRupees } from '@karaar/contracts/charge';
import type { ReversalState } from '@karaar/contracts/payments/http';
import { recordAct, type Act } from '@karaar/platform/admin-acts';
import { inTransaction, isUuid, type Tx } from '@karaar/platform/db-kit';
import { invalid } from '@karaar/platform/errors';
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

/** Kept with what they do: it says who it was then. Throws 403 for an account that was removed, 503 without auth. */
async function adminOf(ctx: Context, id: string): Promise<Admin> {
  const { admin } = await ctx.bus.request(authRpc.findAdmin, { admin_id: id });
  if (!admin) throw adminGone();
  return { id, name: admin.username };
}

/**
 * Asks for a payment to be given back. Within what the admin may give back alone it is decided at once and carried out;
 * while the wallet is away it stays `decided`, and the sweeper finishes it. Repeated by the same admin for the same
 * reason it answers the same reversal.
 *
 * @throws 404 for an unknown payment, 409 for one that is not completed or has a reversal, 403 for a removed admin
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
  ctx.outbox.poke();
  return tryToCarryOut(ctx, await mustFind(ctx, id));
}

type Asked = { payment: PaymentRow; reason: string };

async function ask(ctx: Context, admin: Admin, { payment, reason }: Asked): Promise<string> {
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

/** Confirms what another admin has asked for. Throws 404, 403 for one's own or a removed admin, 409 when it is over. */
export async function confirm(ctx: Context, adminId: string, id: string): Promise<ReversalLine> {
  const admin = await adminOf(ctx, adminId);
  const reversal = await mustFind(ctx, id);
  if (reversal.requested_by === admin.id) throw sameAdmin();
  await inTransaction(ctx.db, async (tx) => {
    if (!(await markConfirmed(tx, id, admin))) throw notWaiting();
    const { reason } = reversal;
    await record(ctx, tx, { admin, payment: paymentOf(reversal), reason, action: 'reversal.confirmed' });
  });
  ctx.outbox.poke();
  return tryToCarryOut(ctx, await mustFind(ctx, id));
}

/**
 * Ends a reversal that waits for a second admin; the admin who asked for it may end it too. Throws 404, 403 for a
 * removed admin, 409 when it is over.
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
  ctx.outbox.poke();
  return mustFind(ctx, id);
}

/** Newest first, with the cursor of the next page. Throws 422 for a cursor of something else. */
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
