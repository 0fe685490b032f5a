/**
 * Invitations by the creator to a phone number or an e-mail address (docs/adr/0078). This code never looks up
 * whether the contact has an account, because the creator must not learn it.
 */
import type { NoticeLanguage } from '@karaar/contracts/documents/http';
import type { OpenInvitation } from '@karaar/contracts/documents/invitations';
import { isUniqueViolation, uuidv7, type Tx } from '@karaar/db';
import { tooManyRequests } from '@karaar/base/errors';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import type { Agreement } from '../agreements/rules/agreement.ts';
import { inviteContact, withdrawContact } from '../agreements/rules/agreement-contacts.ts';
import { askedLine, askInvitedToAnswerBy, byDay, requireAnswerBy } from '../agreements/rules/answer-by.ts';
import { notPrimary } from '../agreements/rules/agreement.errors.ts';
import { getDocument } from '../agreements/agreements.service.ts';
import { changeAgreement } from '../agreements/transition.ts';
import { countInvitation, publishFlood, TooManyInvitations } from '../parties/invitation-limit.ts';
import { inIndia } from '../text-messages/writing-hours.ts';
import { digest, newToken, readContact } from './contact.ts';
import { alreadyInvited, badContact, contactErased, invitationNotFound } from './invitations.errors.ts';
import {
  askAgain,
  endInvitation,
  insertInvitation,
  insertLink,
  isInvited,
  lockInvitation,
  MESSAGES_PER_CONTACT_AND_DAY,
  readOpen,
  setAnswerBy,
} from './invitations.repository.ts';
import { presentOpenInvitation, sendableAt } from '../agreements/open-invitations.ts';
import { noteMessage } from '../text-messages/text-messages.repository.ts';

const DAY_S = 86_400;
const BY = { phone: 'a phone number', email: 'an e-mail address' } as const;

/**
 * Returns the link to the page about the invitation. The token is behind the `#`, so that browsers do not
 * send it to a server.
 */
export const linkOf = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/$/, '')}/invitation#${token}`;

/**
 * Invites the owner of a contact. Throws 403 unless the creator asks, 409 if the contact is already invited,
 * 404 if the replaced invitation has ended, 422 for an invalid contact, 429 after too many people within a day, which is
 * reported to the admins.
 */
export async function inviteByContact(
  ctx: Context,
  caller: Caller,
  documentId: string,
  request: {
    contact: string;
    send: boolean;
    language: NoticeLanguage | undefined;
    answerBy: string | null;
    /** An open invitation that ends, whose language and date the new one takes over. */
    inPlaceOf: string | null;
  },
): Promise<{ invitation: OpenInvitation; link: string }> {
  const { record } = await getDocument(ctx, caller.userId, documentId);
  if (record.document.primary_user !== caller.userId) throw notPrimary();
  const to = readContact(request.contact);
  if (!to) throw badContact();
  const id = uuidv7();
  const token = newToken();
  await countingFloods(ctx, caller.userId, () =>
    changeAgreement(ctx, documentId, { actorId: caller.userId, caller }, async (change) => {
      const { tx } = change;
      const { inPlaceOf } = request;
      const next = await change.decide((agreement) =>
        inviteContact(inPlaceOf ? withdrawContact(agreement, caller.userId) : agreement, caller.userId),
      );
      const { answerBy, language } = await termsOf(tx, documentId, request);
      await countInvitation(ctx, tx, caller.userId);
      if (await isInvited(tx, documentId, to.contact)) throw alreadyInvited();
      const sending = request.send ? await sendingOf(tx, to.contact) : 'none';
      await insertInvitation(tx, {
        ...to,
        ...{ id, documentId, userId: caller.userId, language, answerBy, sending },
      });
      await insertLink(tx, id, digest(token));
      const instead = inPlaceOf ? ' in place of the invited person' : '';
      const detail = `Invited a person by ${BY[to.channel]}${instead}${byDay(answerBy)}`;
      await change.save(next, { type: 'party.contact_invited', detail });
    }),
  ).catch((error: unknown) => {
    throw isUniqueViolation(error, 'open_invitations_once') ? alreadyInvited() : error;
  });
  ctx.invitations.wake();
  return { invitation: await present(ctx, id), link: linkOf(ctx.config.PUBLIC_URL, token) };
}

/** Returns language and date of a new invitation, and ends the one that it replaces. */
async function termsOf(
  tx: Tx<Database>,
  documentId: string,
  { inPlaceOf, answerBy, language }: Parameters<typeof inviteByContact>[3],
): Promise<{ answerBy: string | null; language: NoticeLanguage | null }> {
  const { today } = inIndia(new Date());
  requireAnswerBy(answerBy, today);
  if (!inPlaceOf) return { answerBy, language: language ?? null };
  const replaced = await lockInvitation(tx, documentId, inPlaceOf);
  if (!replaced) throw invitationNotFound();
  await endInvitation(tx, inPlaceOf, { state: 'withdrawn' });
  const day = replaced.answer_by;
  return { answerBy: day !== null && day >= today ? day : null, language: replaced.language };
}

/** Sends an invitation again. Throws 429 within a day of the last message, or as {@link inviteByContact}. */
export async function resendInvitation(
  ctx: Context,
  caller: Caller,
  documentId: string,
  id: string,
): Promise<OpenInvitation> {
  await countingFloods(ctx, caller.userId, () =>
    onOpenInvitation(ctx, caller, documentId, id, async (tx, invitation) => {
      const waitMs = sendableAt(invitation).getTime() - Date.now();
      if (waitMs > 0)
        throw tooManyRequests(
          'This invitation was sent less than a day ago. You can send it again tomorrow.',
          Math.min(DAY_S, waitMs / 1_000),
        );
      await countInvitation(ctx, tx, caller.userId);
      await askAgain(tx, id, await sendingOf(tx, invitation.contact));
    }),
  );
  ctx.invitations.wake();
  return present(ctx, id);
}

export async function linkInvitation(
  ctx: Context,
  caller: Caller,
  documentId: string,
  id: string,
): Promise<string> {
  const token = newToken();
  await onOpenInvitation(ctx, caller, documentId, id, (tx) => insertLink(tx, id, digest(token)));
  return linkOf(ctx.config.PUBLIC_URL, token);
}

/** Withdraws an open invitation: its links end, its contact is erased, and the document stops waiting. */
export async function withdrawInvitation(
  ctx: Context,
  caller: Caller,
  documentId: string,
  id: string,
): Promise<void> {
  await changeAgreement(ctx, documentId, { actorId: caller.userId, caller }, async (change) => {
    const next = await change.decide((agreement) => withdrawContact(agreement, caller.userId));
    if (!(await lockInvitation(change.tx, documentId, id))) throw invitationNotFound();
    await endInvitation(change.tx, id, { state: 'withdrawn' });
    await change.save(next, { type: 'party.contact_withdrawn', detail: 'Withdrew an invitation' });
  });
}

/** Sets, changes or removes the invitation's answer-by date. Throws as {@link withdrawInvitation}. */
export async function askInvited(
  ctx: Context,
  caller: Caller,
  documentId: string,
  id: string,
  day: string | null,
): Promise<OpenInvitation> {
  await changeAgreement(ctx, documentId, { actorId: caller.userId, caller }, async (change) => {
    const { today } = inIndia(new Date());
    const next = await change.decide((agreement) =>
      askInvitedToAnswerBy(agreement, caller.userId, day, today),
    );
    if (!(await lockInvitation(change.tx, documentId, id))) throw invitationNotFound();
    await setAnswerBy(change.tx, id, day);
    const detail = askedLine('the invited person', day);
    await change.save(next, { type: 'party.contact_answer_by', detail });
  });
  return present(ctx, id);
}

/** Changes an open invitation but not its document; only for the creator, while the document is open. */
export async function onOpenInvitation(
  ctx: Context,
  caller: Caller,
  documentId: string,
  id: string,
  act: (
    tx: Tx<Database>,
    invitation: Parameters<typeof sendableAt>[0] & { contact: string },
  ) => Promise<void>,
): Promise<void> {
  // Throws 404 for an unknown document or another user's draft.
  await getDocument(ctx, caller.userId, documentId);
  await changeAgreement(ctx, documentId, { actorId: caller.userId, caller }, async ({ tx, before }) => {
    requireMayInvite(before, caller.userId);
    const invitation = await lockInvitation(tx, documentId, id);
    if (!invitation) throw invitationNotFound();
    const { contact } = invitation;
    if (contact === null) throw contactErased();
    await act(tx, { ...invitation, contact });
  });
}

/** Throws if the user must not invite; ignores the limit of open invitations. */
const requireMayInvite = (agreement: Agreement, userId: string): void =>
  void inviteContact({ ...agreement, openInvitations: 0 }, userId);

/** A contact that has received many messages today gets no more; the creator can pass the link on. */
const sendingOf = async (tx: Tx<Database>, contact: string): Promise<'queued' | 'skipped'> =>
  (await noteMessage(tx, contact, MESSAGES_PER_CONTACT_AND_DAY)) ? 'queued' : 'skipped';

const present = async (ctx: Context, id: string): Promise<OpenInvitation> =>
  presentOpenInvitation(await readOpen(ctx.db, id), true);

/** Reports a flood to the admins after the refused transaction, whose rollback would undo the report. */
async function countingFloods(ctx: Context, userId: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof TooManyInvitations) await publishFlood(ctx, userId);
    throw error;
  }
}
