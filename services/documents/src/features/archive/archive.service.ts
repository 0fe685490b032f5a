import { conflict } from '@karaar/base/errors';
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
 * unpaid, 503 if payments does not answer
 */
export async function archiveDocument(ctx: Context, userId: string, id: string): Promise<void> {
  await getInvolvedDocument(ctx, userId, id);
  if (await needsUser(ctx, userId, id)) throw needsYou();
  const { owes } = await ctx.bus.request(paymentsRpc.owes, { user_id: userId, document_id: id });
  if (owes) throw needsYou();
  await setArchived(ctx.db, userId, id, true);
}

/**
 * Shows a document in the user's own list again.
 * @throws 403, 404 for a document that does not involve the user
 */
export async function restoreDocument(ctx: Context, userId: string, id: string): Promise<void> {
  await getInvolvedDocument(ctx, userId, id);
  await setArchived(ctx.db, userId, id, false);
}
