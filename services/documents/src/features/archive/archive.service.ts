import { AppError, conflict } from '@karaar/base/errors';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import type { Context } from '../../context.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import { setArchived } from '../agreements/listing/listing.repository.ts';
import { needsUser } from '../work/work.service.ts';

const needsYou = () =>
  conflict('needs_you', 'This document needs you. Complete your task in it first, then archive it.');

/**
 * Hides a document from the user's own list.
 * @throws 403, 404 for a document that does not involve the user, 409 while it needs the user or the user's share is
 * unpaid
 */
export async function archiveDocument(ctx: Context, userId: string, id: string): Promise<void> {
  await getInvolvedDocument(ctx, userId, id);
  if (await needsUser(ctx, userId, id)) throw needsYou();
  if (await owesShare(ctx, userId, id)) throw needsYou();
  await setArchived(ctx.db, userId, id, true);
}

/** Returns false if payments does not answer: "What needs you" shows a share of an archived document as well. */
async function owesShare(ctx: Context, userId: string, id: string): Promise<boolean> {
  try {
    const request = { user_id: userId, document_id: id };
    return (await ctx.bus.request(paymentsRpc.owes, request)).owes;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 503) throw error;
    ctx.logger.warn({ err: error }, 'archiving without knowing of an unpaid share');
    return false;
  }
}

/**
 * Shows a document in the user's own list again.
 * @throws 403, 404 for a document that does not involve the user
 */
export async function restoreDocument(ctx: Context, userId: string, id: string): Promise<void> {
  await getInvolvedDocument(ctx, userId, id);
  await setArchived(ctx.db, userId, id, false);
}
