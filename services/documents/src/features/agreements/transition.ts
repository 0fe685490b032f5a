/**
 * The one way in which an agreement changes: lock, decide, save, record, announce – in one transaction.
 */
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { PhotosRecord } from '@karaar/contracts/documents/http';
import { inTransaction, type Tx } from '@karaar/platform/db-kit';
import { AppError } from '@karaar/platform/errors';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database, Db } from '../../db/schema.ts';
import { isUuid } from '../../ids.ts';
import {
  acquaintedUsers,
  awaitedUsers,
  findParty,
  involvedUsers,
  type Agreement,
} from './rules/agreement.ts';
import type { SignedBy } from '../signing-keys/signing.service.ts';
import { namesIn } from './party-names.repository.ts';
import { documentNotFound, removedMeanwhile } from './rules/agreement.errors.ts';
import { appendEvents, goneSince } from './agreement-events.repository.ts';
import { readContent } from './approvals/approvals.repository.ts';
import { keepApprovals, requireShown, type Shown } from './approvals/approvals.service.ts';
import { lockAgreement, rawFilesOf, saveAgreement } from './agreements.repository.ts';
import { withSources } from '@karaar/rendering';
import { filesDigest } from './files/files-digest.ts';

export type Transition = {
  /** Names the line in the document's history: `party.invited`, `document.approved`, … */
  type: string;
  actorId: string | null;
  /** Who asked and from where; absent for what the service does by itself. */
  caller?: Caller | undefined;
  /** Whom it is about, when that is not the actor. */
  subjectId?: string | undefined;
  detail: string;
  /** Another line where what happened depends on what was before. */
  retell?: (before: Agreement) => { type: string; detail: string } | undefined;
  /** Why, in the actor's own words. */
  reason?: string | null | undefined;
  /** Of an approval; 409 when the document has another content or other parties now. */
  shown?: Shown | undefined;
  /** Of an approval that is signed with a key of the person's own. */
  signed?: SignedBy | undefined;
  /** Only while the document has this version; else {@link VersionMoved}. */
  onlyVersion?: number | undefined;
  decide: (agreement: Agreement) => Agreement;
  /** Further writes of the same fact, in the same transaction. */
  also?: (tx: Tx<Database>, after: Agreement, before: Agreement) => Promise<void>;
  /** The photos that `also` has saved. */
  photos?: () => PhotosRecord | undefined;
  /** The same, once the parties are written. */
  afterSave?: (tx: Tx<Database>) => Promise<void>;
};

/** The document has changed since it was read; nothing was done. */
export class VersionMoved extends Error {}

/**
 * Applies a transition under the document's row lock. A decision that changes nothing writes nothing.
 * Throws 404 for an unknown document, 409 when a party that it needs was removed at the same moment, and
 * whatever the decision throws.
 */
export async function applyTransition(ctx: Context, id: string, transition: Transition): Promise<Agreement> {
  if (!isUuid(id)) throw documentNotFound();
  const after = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id);
    if (!locked) throw documentNotFound();
    const { onlyVersion = locked.version } = transition;
    if (locked.version !== onlyVersion) throw new VersionMoved();
    const before = locked.agreement;
    const next = await decideOn(tx, before, transition);
    if (transition.shown)
      requireShown(transition.shown, { content: await readContent(tx, id), parties: involvedUsers(before) });
    if (next === before) return next;
    await transition.also?.(tx, next, before);
    const digest = filesDigest(await rawFilesOf(tx, id));
    const version = locked.version + 1;
    await saveAgreement(tx, before, next, version, digest);
    await keepApprovals(tx, before, next, transition.signed);
    await transition.afterSave?.(tx);
    const photos = transition.photos?.();
    const { type, detail } = transition.retell?.(before) ?? transition;
    const { actorId, subjectId = null } = transition;
    const ended = endedForOthers(before, next, actorId);
    const names = await namesIn(tx, id, ended);
    await appendEvents(tx, [
      {
        documentId: id,
        type,
        actorId,
        subjectId,
        origin: transition.caller?.origin,
        detail: photos ? withSources(detail, photos) : detail,
        reason: transition.reason,
        photos,
        statusFrom: before.status,
        statusTo: next.status,
        filesSha256: digest,
      },
      ...ended.map((userId) => ({
        documentId: id,
        type: 'party.approval_ended',
        actorId: null,
        subjectId: userId,
        detail: `The approval of ${names.get(userId) || 'Unknown User'} ended because the people in this agreement changed`,
        statusFrom: next.status,
        statusTo: next.status,
        filesSha256: digest,
      })),
    ]);
    await announce(ctx, tx, { before, after: next, version, change: type, actorId, subjectId, ended });
    return next;
  });
  ctx.outbox.poke();
  return after;
}

/** Whose approvals ended by another person's act. */
const endedForOthers = (before: Agreement, after: Agreement, actorId: string | null): string[] =>
  before.parties
    .filter(
      ({ userId, approved }) =>
        approved && findParty(after, userId)?.approved === false && userId !== actorId,
    )
    .map(({ userId }) => userId);

/** Asks the rules before any work is done for the transition; under the lock they are asked again. */
export async function decideOn(
  db: Db,
  agreement: Agreement,
  transition: Pick<Transition, 'decide' | 'caller' | 'subjectId' | 'actorId'>,
): Promise<Agreement> {
  try {
    return transition.decide(agreement);
  } catch (error) {
    const { caller } = transition;
    // A person who was removed after the request arrived did nothing wrong: the removal came first.
    if (!caller || !(error instanceof AppError) || (error.status !== 403 && error.status !== 404))
      throw error;
    const subject = transition.subjectId ?? caller.userId;
    if (!(await goneSince(db, agreement.id, subject, caller.since))) throw error;
    throw removedMeanwhile(subject === caller.userId);
  }
}

/** Tells the other services, and by them the screens, that a document changed. */
export async function announce(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  change: {
    before: Agreement;
    after: Agreement;
    version: number;
    change: string;
    actorId: string | null;
    subjectId: string | null;
    /** Parties whose approvals ended by this change. */
    ended?: readonly string[];
  },
): Promise<void> {
  const { before, after, ended = [] } = change;
  const started = before.status === 'draft' && after.status !== 'draft';
  const event =
    after.status === 'finalized' && before.status !== 'finalized'
      ? documentsEvents.finalized
      : started
        ? documentsEvents.created
        : documentsEvents.changed;
  await ctx.outbox.add(tx, event, {
    aggregateId: after.id,
    aggregateVersion: change.version,
    data: {
      document_id: after.id,
      status: after.status,
      primary_user: after.primaryUserId,
      involved_users: involvedUsers(after),
      acquainted_users: acquaintedUsers(after),
      affected_users: [...new Set([...before.parties, ...after.parties].map((party) => party.userId))],
      change: change.change,
      actor_id: change.actorId,
      subject_id: change.subjectId,
      awaited_users: awaitedUsers(after),
      ...(ended.length > 0 ? { ended_approvals: [...ended] } : {}),
    },
  });
}
