import type { Tx } from '@karaar/db';
import type { NoticeLanguage, PartyState } from '@karaar/contracts/documents/http';
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
import { shareOpen } from '../agreements/rules/agreement.errors.ts';
import { partyName } from '../agreements/agreement-records.repository.ts';
import { agreementOf, getDocument } from '../agreements/agreements.service.ts';
import { askedLine, askToAnswerBy, byDay } from '../agreements/rules/answer-by.ts';
import { changeAgreement, recordFact, type Line } from '../agreements/transition.ts';
import { requireUserByCharId } from '../directory/directory.service.ts';
import { queueNews, queueReminder } from '../text-messages/text-messages.service.ts';
import { inIndia } from '../text-messages/writing-hours.ts';
import { countInvitation, publishFlood, TooManyInvitations } from './invitation-limit.ts';
import { chooseTextMessageLanguage } from './parties.repository.ts';
import { changeWithChargeStopped } from './stopped-charge.ts';

export type Invitee = {
  charId: string;
  language: NoticeLanguage | undefined;
  answerBy: string | null;
};

/**
 * Invites the user with this ID and sends an SMS in the given language or the user's own. Throws 404 for an
 * unknown ID or document, 403 unless the primary user asks, 422 for an invalid day, 429 after too many people
 * within a day, which is reported to the admins.
 */
export async function inviteUser(
  ctx: Context,
  caller: Caller,
  id: string,
  invitee: Invitee,
): Promise<string> {
  const actorId = caller.userId;
  // Checks the caller's right before the ID, so that other users cannot find out which IDs exist.
  const { record } = await getDocument(ctx, actorId, id);
  if (record.document.primary_user !== actorId) invite(agreementOf(record), actorId, actorId);
  const user = await requireUserByCharId(ctx, invitee.charId);
  try {
    await changeAgreement(ctx, id, { actorId, caller, subjectId: user.user_id }, async (change) => {
      const next = await change.decide((agreement) => {
        const invited = invite(agreement, actorId, user.user_id);
        if (invitee.answerBy === null) return invited;
        return askToAnswerBy(invited, actorId, user.user_id, invitee.answerBy, inIndia(new Date()).today);
      });
      if (next === change.before) return;
      const was = findParty(change.before, user.user_id)?.state;
      // For an admitted party, only the date has changed.
      if (was !== 'admitted') {
        const kind = was === 'requested' ? 'admitted' : 'invited';
        if (kind === 'invited') await countInvitation(ctx, change.tx, actorId);
        await queueNews(ctx, change.tx, kind, {
          documentId: id,
          userId: user.user_id,
          senderId: actorId,
          language: invitee.language ?? null,
        });
      }
      await change.save(next, invitedLine(was, user.name, invitee.answerBy));
      if (invitee.language) await chooseTextMessageLanguage(change.tx, id, user.user_id, invitee.language);
    });
  } catch (error) {
    // After the refused transaction, whose rollback would undo the report.
    if (error instanceof TooManyInvitations) await publishFlood(ctx, actorId);
    throw error;
  }
  ctx.textMessages.wake();
  return user.name;
}

/**
 * Sets, changes or removes a party's answer-by date. Throws 403 unless the creator asks, 409 if no answer is
 * awaited, 422 for an invalid day.
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
  await changeAgreement(ctx, id, { actorId: caller.userId, caller, subjectId: userId }, async (change) => {
    const { today } = inIndia(new Date());
    const next = await change.decide((now) => askToAnswerBy(now, caller.userId, userId, day, today));
    if (next !== change.before) await change.save(next, askedToAnswer(name, day));
  });
  return name;
}

function invitedLine(was: PartyState | undefined, name: string, answerBy: string | null): Line {
  if (was === 'admitted') return askedToAnswer(name, answerBy);
  if (was === 'requested') return admitted(name);
  return { type: 'party.invited', detail: `Invited ${name}${byDay(answerBy)}` };
}

const askedToAnswer = (name: string, day: string | null) => ({
  type: 'party.answer_by',
  detail: askedLine(name, day),
});

/** Reminds a party. Throws 409 if there is nothing to answer, 429 within a day of the last reminder. */
export async function remindParty(ctx: Context, caller: Caller, id: string, userId: string): Promise<string> {
  const { record } = await getDocument(ctx, caller.userId, id);
  const name = partyName(record, userId);
  await changeAgreement(ctx, id, { actorId: caller.userId, caller, subjectId: userId }, async (change) => {
    const agreement = await change.decide((now) => requireReminding(now, caller.userId, userId));
    await queueReminder(change.tx, { documentId: id, userId, senderId: caller.userId, name });
    await publishReminder(ctx, change.tx, {
      agreement,
      userId,
      detail: `Reminded ${name}`,
      actorId: caller.userId,
      origin: caller.origin,
    });
  });
  ctx.textMessages.wake();
  return name;
}

/**
 * Records a reminder in the history and publishes it for the bell and e-mails.
 * @param reminder.actorId null for an automatic reminder
 */
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
  await recordFact(ctx, tx, agreement, {
    ...{ type: 'party.reminded', actorId, subjectId: userId, origin, detail },
    // The creator waits for the answer, even if the reminder was automatic.
    announcedAs: actorId ?? agreement.primaryUserId,
  });
}

/** Admits a person who asked to join, and sends that person an SMS to read and approve. */
export async function admitParty(ctx: Context, caller: Caller, id: string, userId: string): Promise<void> {
  const line = admitted(await nameOf(ctx, caller.userId, id, userId));
  await changeAgreement(ctx, id, { actorId: caller.userId, caller, subjectId: userId }, async (change) => {
    const next = await change.decide((agreement) => approveUser(agreement, caller.userId, userId));
    if (next === change.before) return;
    const party = { documentId: id, userId, senderId: caller.userId, language: null };
    await queueNews(ctx, change.tx, 'admitted', party);
    await change.save(next, line);
  });
  ctx.textMessages.wake();
}

const admitted = (name: string) => ({ type: 'party.joined', detail: `Admitted ${name}` });

/**
 * Removes a party. Throws 409 with the person's share of the charge if one is set up, 503 while payments is
 * down.
 */
export const removeParty = (ctx: Context, caller: Caller, id: string, userId: string): Promise<void> =>
  changeWithChargeStopped(ctx, caller.userId, id, {
    actor: { actorId: caller.userId, caller, subjectId: userId },
    rule: (agreement) => removeUser(agreement, caller.userId, userId),
    removed: userId,
    refuse: shareOpen,
    steps: (change, next, record) =>
      change.save(next, { type: 'party.removed', detail: `Removed ${partyName(record, userId)}` }),
  });

async function nameOf(ctx: Context, viewerId: string, id: string, userId: string): Promise<string> {
  const { record } = await getDocument(ctx, viewerId, id);
  return partyName(record, userId);
}
