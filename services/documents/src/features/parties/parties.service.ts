/** What the primary user does to others: invite, remind, admit, remove. Each is one transition. */
import { inTransaction, type Tx } from '@karaar/platform/db-kit';
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import {
  approveUser,
  findParty,
  invite,
  removeUser,
  requireReminding,
  type Agreement,
} from '../agreements/rules/agreement.ts';
import { changedTooOften, documentNotFound, shareOpen } from '../agreements/rules/agreement.errors.ts';
import { appendEvent } from '../agreements/agreement-events.repository.ts';
import { countChange, lockAgreement, rawFilesOf } from '../agreements/agreements.repository.ts';
import { agreementOf, getDocument } from '../agreements/agreements.service.ts';
import { askedLine, askToAnswerBy, byDay } from '../agreements/rules/answer-by.ts';
import { filesDigest } from '../agreements/files/files-digest.ts';
import { announce, applyTransition, decideOn, VersionMoved } from '../agreements/transition.ts';
import { requireUserByCharId } from '../directory/directory.service.ts';
import { dropVerification } from '../identity-verification/orphaned-images.repository.ts';
import { queueNews, queueReminder } from '../text-messages/text-messages.service.ts';
import { inIndia } from '../text-messages/writing-hours.ts';
import { countInvitation, publishFlood, TooManyInvitations } from './invitation-limit.ts';
import { chooseNoticeLanguage } from './parties.repository.ts';
import { wordsOf } from './withdrawal.service.ts';

export type Invitee = {
  charId: string;
  language: NoticeLanguage | undefined;
  /** The day by which the user is asked to answer. */
  answerBy: string | null;
};

/**
 * Invites the user with this ID and writes an SMS to them, in the language given here or in their own.
 * 404 for an unknown ID or document, 403 unless the primary user asks, 422 for a day that cannot be chosen, 429 after
 * too many people within a day, of which the admins are told.
 */
export async function inviteUser(ctx: Context, caller: Caller, id: string, whom: Invitee): Promise<string> {
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
    detail: `Invited ${user.name}${byDay(whom.answerBy)}`,
    retell: (before) => {
      const state = findParty(before, user.user_id)?.state;
      if (state === 'admitted') return asked(user.name, whom.answerBy);
      return state === 'requested' ? admitted(user.name) : undefined;
    },
    decide: (agreement) => {
      const next = invite(agreement, actorId, user.user_id);
      if (whom.answerBy === null) return next;
      return askToAnswerBy(next, actorId, user.user_id, whom.answerBy, inIndia(new Date()).today);
    },
    also: async (tx, after, before) => {
      // Only the date has changed.
      if (findParty(before, user.user_id)?.state === 'admitted') return;
      // A person who had asked to join is admitted by the invitation.
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
    if (error instanceof TooManyInvitations) await publishFlood(ctx, actorId);
    throw error;
  }
  ctx.textMessages.poke();
  return user.name;
}

/**
 * Sets, changes or takes away the day by which a party is asked to answer. 403 unless the creator asks, 409 when no answer is
 * awaited, 422 for a day that cannot be chosen.
 *
 * @returns the party's name
 */
export async function askParty(
  ctx: Context,
  caller: Caller,
  id: string,
  userId: string,
  day: string | null,
): Promise<string> {
  const name = await nameOf(ctx, caller.userId, id, userId);
  await applyTransition(ctx, id, {
    ...asked(name, day),
    actorId: caller.userId,
    caller,
    subjectId: userId,
    decide: (agreement) => askToAnswerBy(agreement, caller.userId, userId, day, inIndia(new Date()).today),
  });
  return name;
}

const asked = (name: string, day: string | null) => ({
  type: 'party.answer_by',
  detail: askedLine(name, day),
});

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
    await publishReminder(ctx, tx, {
      agreement,
      userId,
      detail: `Reminded ${name}`,
      actorId: caller.userId,
      origin: caller.origin,
    });
  });
  ctx.outbox.poke();
  ctx.textMessages.poke();
  return name;
}

/** A reminder's line in the history, and the fact by which the bell and e-mails tell it. @param reminder.actorId null where nobody pressed */
export async function publishReminder(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  reminder: {
    agreement: Agreement;
    userId: string;
    detail: string;
    actorId: string | null;
    origin: Caller['origin'] | undefined;
  },
): Promise<void> {
  const { agreement, userId, detail, actorId, origin } = reminder;
  const change = 'party.reminded';
  const version = await countChange(tx, agreement.id);
  await appendEvent(tx, {
    documentId: agreement.id,
    type: change,
    actorId,
    subjectId: userId,
    origin,
    detail,
    statusFrom: agreement.status,
    statusTo: agreement.status,
    filesSha256: filesDigest(await rawFilesOf(tx, agreement.id)),
  });
  await announce(ctx, tx, {
    before: agreement,
    after: agreement,
    version,
    change,
    // It is the creator who waits, whoever has reminded.
    actorId: actorId ?? agreement.primaryUserId,
    subjectId: userId,
  });
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
  ctx.textMessages.poke();
}

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
        // The person gave face, eye and signature for this agreement, and is not a party to it any more.
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
