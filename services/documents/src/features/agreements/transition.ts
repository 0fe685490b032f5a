/**
 * The one way in which an agreement changes: lock, decide, save, record, announce – in one transaction.
 */
import { documentsEvents } from '@karaar/contracts/documents/events';
import { inTransaction, type Tx } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { isUuid } from '../../ids.ts';
import { involvedUsers, type Agreement } from './agreement.ts';
import { documentNotFound } from './agreement.errors.ts';
import { appendEvent, lockAgreement, rawFilesOf, saveAgreement } from './agreements.repository.ts';
import { filesDigest } from './files-digest.ts';

export type Transition = {
  /** Names the line in the document's history: `party.invited`, `document.approved`, … */
  type: string;
  actorId: string | null;
  detail: string;
  decide: (agreement: Agreement) => Agreement;
  /** Further writes of the same fact, in the same transaction. */
  also?: (tx: Tx<Database>, after: Agreement) => Promise<void>;
};

/**
 * Applies a transition under the document's row lock. A decision that changes nothing writes nothing.
 * Throws 404 for an unknown document and whatever the decision throws.
 */
export async function applyTransition(ctx: Context, id: string, transition: Transition): Promise<Agreement> {
  if (!isUuid(id)) throw documentNotFound();
  const after = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id);
    if (!locked) throw documentNotFound();
    const before = locked.agreement;
    const next = transition.decide(before);
    if (next === before) return next;
    const digest = filesDigest(await rawFilesOf(tx, id));
    const version = locked.version + 1;
    await transition.also?.(tx, next);
    await saveAgreement(tx, before, next, version, digest);
    await appendEvent(tx, {
      documentId: id,
      type: transition.type,
      actorId: transition.actorId,
      detail: transition.detail,
      statusFrom: before.status,
      statusTo: next.status,
      filesSha256: digest,
    });
    const event = next.status === 'finalized' ? documentsEvents.finalized : documentsEvents.changed;
    await ctx.outbox.add(tx, event, {
      aggregateId: id,
      aggregateVersion: version,
      data: {
        document_id: id,
        status: next.status,
        primary_user: next.primaryUserId,
        involved_users: involvedUsers(next),
      },
    });
    return next;
  });
  ctx.outbox.poke();
  return after;
}
