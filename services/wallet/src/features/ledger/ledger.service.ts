import { isCalendarDay } from '@karaar/contracts/calendar-day';
import { isUuid } from '@karaar/db';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { ACCOUNT_SHEET_ROWS } from '@karaar/contracts/documents/print';
import type { InternalRpcResponse, InternalRpcRequest } from '@karaar/contracts/kit';
import type { Language } from '@karaar/contracts/limits';
import type { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { invalid, notFound } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import { statementTooLong } from './ledger.errors.ts';
import {
  balanceOf,
  movementsOf,
  refuseDebit,
  reverseDebit,
  type Movement,
  type MovementFilter,
} from './ledger.repository.ts';
import { statementSheet } from './statement.ts';

const STATEMENT_PAGE = 500;
/** Returns the balance. Without any transfer it is 0, with the present time as its update. */
export async function getBalance(
  ctx: Context,
  userId: string,
): Promise<{ balancePaise: number; updatedAt: Date }> {
  const { balancePaise, updatedAt } = await balanceOf(ctx.db, userId);
  return { balancePaise, updatedAt: updatedAt ?? new Date() };
}

/**
 * Returns a page, newest first; `cursor` is the last id of the previous page. Throws 422 for an invalid
 * cursor or day.
 */
export async function listMovements(
  ctx: Context,
  userId: string,
  page: MovementFilter & { cursor?: string | undefined; limit?: number | undefined },
): Promise<Movement[]> {
  if (page.cursor !== undefined && !isUuid(page.cursor)) {
    throw invalid([{ loc: 'cursor', msg: 'is not the id of a transaction' }]);
  }
  requireDays(page);
  return movementsOf(ctx.db, userId, page, { before: page.cursor, limit: page.limit ?? 100 });
}

/** Returns all movements of a period, oldest first. It reads them in pages, so that memory is bounded. */
export async function* eachMovement(
  ctx: Context,
  userId: string,
  filter: MovementFilter,
): AsyncGenerator<Movement> {
  let after = '';
  for (;;) {
    const rows = await movementsOf(ctx.db, userId, filter, { after, limit: STATEMENT_PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < STATEMENT_PAGE) return;
    after = last.id;
  }
}

/**
 * Returns the statement of a period as PDF, in the requested language, by default the account's. Throws 422
 * for too long a period, 503 while documents is down, or auth if it is needed for the language.
 */
export async function printStatement(
  ctx: Context,
  owner: { userId: string; charId: string },
  filter: MovementFilter,
  requestedLanguage: Language | undefined,
): Promise<Buffer> {
  const page = { after: '', limit: ACCOUNT_SHEET_ROWS + 1 };
  const movements = await movementsOf(ctx.db, owner.userId, filter, page);
  if (movements.length > ACCOUNT_SHEET_ROWS) throw statementTooLong();
  const language = requestedLanguage ?? (await languageOf(ctx, owner.userId));
  const how = { now: new Date(), issuer: ctx.config, language };
  return ctx.print(statementSheet(owner.charId, filter, movements, how));
}

async function languageOf(ctx: Context, userId: string): Promise<Language> {
  const { user } = await ctx.bus.request(authRpc.findUser, { user_id: userId });
  return user?.language ?? 'en';
}

/** Throws 422 naming the field for an invalid date (2026-02-30), or a period that ends before it begins. */
export function requireDays({ from, to }: MovementFilter): void {
  for (const [loc, day] of Object.entries({ from, to })) {
    if (day !== undefined && !isCalendarDay(day)) throw invalid([{ loc, msg: 'is not a date' }]);
  }
  if (from && to && from > to) throw invalid([{ loc: 'to', msg: 'must not be before the start' }]);
}

/** Debits once per idempotency key. Throws 402 if the balance is too small, 409 on a reused key. */
export async function debitWallet(
  ctx: Context,
  request: InternalRpcRequest<typeof walletInternalRpc.debit>,
): Promise<InternalRpcResponse<typeof walletInternalRpc.debit>> {
  if (!isUuid(request.user_id)) throw notFound('user_not_found', 'This user has no wallet.');
  const moved = await ctx.debit({
    idempotencyKey: request.idempotency_key,
    userId: request.user_id,
    amountPaise: request.amount_paise,
    description: request.description,
    reference: request.reference,
  });
  return { transfer_id: moved.transferId, balance_paise: moved.balancePaise };
}

/** Prevents a debit, or returns its transfer if it has happened. Throws 409 on a reused key. */
export async function cancelDebit(
  ctx: Context,
  request: InternalRpcRequest<typeof walletInternalRpc.cancelDebit>,
): Promise<InternalRpcResponse<typeof walletInternalRpc.cancelDebit>> {
  if (!isUuid(request.user_id)) throw notFound('user_not_found', 'This user has no wallet.');
  const transfer_id = await refuseDebit(ctx.db, {
    idempotencyKey: request.idempotency_key,
    userId: request.user_id,
    amountPaise: request.amount_paise,
  });
  return { transfer_id };
}

/** Gives a debit back once. Throws 404 if the key debited nothing, 409 on other values. */
export async function giveBack(
  ctx: Context,
  request: InternalRpcRequest<typeof walletInternalRpc.reverseDebit>,
): Promise<InternalRpcResponse<typeof walletInternalRpc.reverseDebit>> {
  if (!isUuid(request.user_id)) throw notFound('user_not_found', 'This user has no wallet.');
  const moved = await reverseDebit(ctx.db, {
    debitKey: request.debit_key,
    userId: request.user_id,
    amountPaise: request.amount_paise,
    description: request.description,
  });
  return { transfer_id: moved.transferId, balance_paise: moved.balancePaise };
}
