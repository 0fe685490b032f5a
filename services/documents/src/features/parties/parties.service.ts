/** What the primary user does to others: invite, remind, admit, remove. Each is one transition. */
import { inTransaction } from '@karaar/platform/db-kit';
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import {
  approveUser,
  findParty,
  invite,
  removeUser,
  requireReminding,
  type Agreement,
} from '../agreements/agreement.ts';
import { changedTooOften, documentNotFound, shareOpen } from '../agreements/agreement.errors.ts';
import { appendEvent } from '../agreements/agreement-events.repository.ts';
import { countChange, lockAgreement, rawFilesOf } from '../agreements/agreements.repository.ts';
import { agreementOf, getDocument } from '../agreements/agreements.service.ts';
import { filesDigest } from '../agreements/files-digest.ts';
import { announce, applyTransition, decideOn, VersionMoved } from '../agreements/transition.ts';
import { requireUserByCharId } from '../directory/directory.service.ts';
import { dropVerification } from '../verification/forsaken.repository.ts';
import { queueNews, queueReminder } from '../notices/notices.service.ts';
import { countInvitation, tellOfFlood, TooManyInvitations } from './invitation-limit.ts';
import { chooseNoticeLanguage } from './parties.repository.ts';
import { wordsOf } from './withdrawal.service.ts';

/**
 * Invites the user with this ID and writes an SMS to them, in the language given here or in their own.
 * 404 for an unknown ID or document, 403 unless the primary user asks, 429 after too many people within a day, of which
 * the admins are told.
 */
export async function inviteUser(
  ctx: Context,
  caller: Caller,
  id: string,
  whom: { charId: string; language: NoticeLanguage | undefined },
): Promise<string> {
  const actorId = caller.userId;
  // The caller's right is checked before the ID is looked up: a stranger learns nothing of who has which ID.
  const { record } = await getDocument(ctx, actorId, id);
  if (record.document.primary_user !== actorId) invite(agreementOf(record), actorId, actorId);
  const user = await requireUserByCharId(ctx, whom.charId);
  const invited = applyTransition(ctx, id, {
    type: 'party.invited',
    actorId,
    caller,
    subjectId: user.user_id,
    detail: `Invited ${user.name}`,
    retell: (before) =>
      findParty(before, user.user_id)?.state === 'requested' ? admitted(user.name) : undefined,
    decide: (agreement) => invite(agreement, actorId, user.user_id),
    also: async (tx, after) => {
      // One who had asked to join is admitted by this.
      const kind = findParty(after, user.user_id)?.state === 'admitted' ? 'admitted' : 'invited';
      if (kind === 'invited') await countInvitation(ctx, tx, actorId);
      await queueNews(ctx, tx, kind, {
        documentId: id,
        userId: user.user_id,
        senderId: actorId,
        language: whom.language ?? null,
      });
    },
    afterSave: async (tx) => {
      if (whom.language) await chooseNoticeLanguage(tx, id, user.user_id, whom.language);
    },
  });
  try {
    await invited;
  } catch (error) {
    // After the refused transaction, which would have taken the telling back with it.
    if (error instanceof TooManyInvitations) await tellOfFlood(ctx, actorId);
    throw error;
  }
  ctx.notices.poke();
  return user.name;
}

/** Sends a reminder to an invited party. 409 when there is nothing to answer, 429 within a day of the last one. */
export async function remindParty(ctx: Context, caller: Caller, id: string, userId: string): Promise<string> {
  const { record } = await getDocument(ctx, caller.userId, id);
  const name = record.parties.find((party) => party.user_id === userId)?.name ?? 'Unknown User';
  await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id);
    if (!locked) throw documentNotFound();
    const { agreement } = locked;
    await decideOn(tx, agreement, {
      decide: (now) => requireReminding(now, caller.userId, userId),
      caller,
      actorId: caller.userId,
      subjectId: userId,
    });
    await queueReminder(tx, { documentId: id, userId, senderId: caller.userId, name });
    const version = await countChange(tx, id);
    await appendEvent(tx, {
      documentId: id,
      type: 'party.reminded',
      actorId: caller.userId,
      subjectId: userId,
      origin: caller.origin,
      detail: `Reminded ${name}`,
      statusFrom: agreement.status,
      statusTo: agreement.status,
      filesSha256: filesDigest(await rawFilesOf(tx, id)),
    });
    await announce(ctx, tx, { before: agreement, after: agreement, version, change: 'party.reminded' });
  });
  ctx.outbox.poke();
  ctx.notices.poke();
  return name;
}

/** The primary user admits a person who asked to join, and an SMS tells that person to read and approve. */
export async function admitParty(ctx: Context, caller: Caller, id: string, userId: string): Promise<void> {
  await applyTransition(ctx, id, {
    ...admitted(await nameOf(ctx, caller.userId, id, userId)),
    actorId: caller.userId,
    caller,
    subjectId: userId,
    decide: (agreement) => approveUser(agreement, caller.userId, userId),
    also: (tx) =>
      queueNews(ctx, tx, 'admitted', { documentId: id, userId, senderId: caller.userId, language: null }),
  });
  ctx.notices.poke();
}

/** Older records use `party.admitted` for the creator's click that approved a joiner, so an admission has a type of its own. */
const admitted = (name: string) => ({ type: 'party.joined', detail: `Admitted ${name}` });

const ATTEMPTS = 5;

/**
 * Takes a person off the document. Throws 409 that names the person's share of the charge where one is set up, 503 while
 * payments is away. As with a withdrawal, shares that are set up meanwhile make it begin anew.
 */
export async function removeParty(ctx: Context, caller: Caller, id: string, userId: string): Promise<void> {
  const actor = { actorId: caller.userId, caller, subjectId: userId };
  const decide = (agreement: Agreement) => removeUser(agreement, caller.userId, userId);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { record } = await getDocument(ctx, caller.userId, id);
    await decideOn(ctx.db, agreementOf(record), { ...actor, decide });
    const { id: documentId, version } = record.document;
    const asked = { document_id: documentId, version, removed: userId };
    const { taken } = await ctx.bus.request(paymentsRpc.stopCharge, asked);
    if (taken.length > 0) throw shareOpen(wordsOf(record, taken));
    const name = record.parties.find((party) => party.user_id === userId)?.name ?? 'Unknown User';
    try {
      await applyTransition(ctx, id, {
        ...actor,
        type: 'party.removed',
        detail: `Removed ${name}`,
        onlyVersion: version,
        decide,
        // Face, eye and signature were given for this agreement, of which they are no part any more.
        afterSave: (tx) => dropVerification(tx, id, userId),
      });
      return;
    } catch (error) {
      if (!(error instanceof VersionMoved)) throw error;
    }
  }
  throw changedTooOften();
}

async function nameOf(ctx: Context, viewerId: string, id: string, userId: string): Promise<string> {
  const { record } = await getDocument(ctx, viewerId, id);
  const known = record.parties.find((party) => party.user_id === userId)?.name;
  return known ?? 'Unknown User';
}
