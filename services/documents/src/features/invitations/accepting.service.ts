import { authRpc } from '@karaar/contracts/auth/rpc';
import type { ContactChannel } from '@karaar/contracts/documents/invitations';
import type { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { RpcResponse } from '@karaar/contracts/kit';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { acceptContact } from '../agreements/rules/agreement-contacts.ts';
import { changeAgreement } from '../agreements/transition.ts';
import { insertTextMessage } from '../text-messages/text-messages.repository.ts';
import { lookUpCounted } from '../parties/join-limit.repository.ts';
import { digest } from './contact.ts';
import { forAnother, linkCancelled, linkEnded, linkExpired } from './invitations.errors.ts';
import { stopTokenFor } from './stop-token.ts';
import {
  endInvitation,
  findByTokenHash,
  lockInvitation,
  takeAnswerBy,
  type InvitationRow,
} from './invitations.repository.ts';
import { maskContact } from '../agreements/open-invitations.ts';

type Found = InvitationRow & { contact: string; channel: ContactChannel; sent: boolean };

/** Returns the open invitation of a link. Throws 404 for a link that no longer works, 410 if expired or cancelled. */
export async function requireOpenLink(ctx: Pick<Context, 'db'>, hash: string): Promise<Found> {
  const row = await findByTokenHash(ctx.db, hash);
  if (row?.state === 'cancelled') throw linkCancelled();
  if (row?.state !== 'open') throw linkEnded();
  const { contact } = row;
  if (row.expired || contact === null) throw linkExpired();
  return { ...row, contact };
}

/**
 * Shows any holder of the link the inviting user and the masked contact, and nothing about the document. Only
 * a link in our own message comes with the stop token: otherwise a creator, who can pass links on, could stop
 * other users' messages to the contact.
 */
export async function lookUpInvitation(ctx: Context, token: string) {
  const invitation = await requireOpenLink(ctx, digest(token));
  const inviter = await ctx.directory.findById(invitation.user_id);
  if (!inviter?.is_active) throw linkEnded();
  return {
    channel: invitation.channel,
    hint: maskContact(invitation),
    inviter_name: inviter.name,
    inviter_char_id: inviter.char_id,
    ...(invitation.sent ? { stop_token: stopTokenFor(ctx.contactsKey, invitation, invitation.user_id) } : {}),
  };
}

/** Returns the contact of a link's invitation, to which auth sends a code. */
export async function contactOf(
  ctx: Pick<Context, 'db'>,
  tokenHash: string,
): Promise<RpcResponse<typeof documentsRpc.invitationContact>> {
  const row = await findByTokenHash(ctx.db, tokenHash);
  if (row?.state !== 'open' || row.expired || row.contact === null) return { invitation: null };
  return { invitation: { id: row.id, channel: row.channel, contact: row.contact } };
}

/**
 * Joins the document of a link as the invited person. Throws 403 for an account without the invited number or
 * a proof of the invited address; 404 or 410 for a link that does not work; 429 after many unknown links; and
 * the errors of the rules if the document has changed.
 */
export async function acceptByLink(
  ctx: Context,
  caller: Caller,
  { token, proof }: { token: string; proof: string | null },
): Promise<string> {
  const hash = digest(token);
  const found = await lookUpCounted(ctx.db, caller.userId, (tx) => findByTokenHash(tx, hash));
  if (found === undefined) throw linkEnded();
  // A user who presses twice or returns has already joined and is sent to the document.
  if (found.state === 'accepted' && found.accepted_by === caller.userId) return found.document_id;
  try {
    const invitation = await requireOpenLink(ctx, hash);
    if (!(await hasContact(ctx, caller.userId, invitation, proof))) throw forAnother();
    await joinBy(ctx, caller, invitation);
  } catch (error) {
    // A concurrent request of the same user has already joined.
    const now = await findByTokenHash(ctx.db, hash);
    if (now?.accepted_by !== caller.userId) throw error;
  }
  return found.document_id;
}

async function joinBy(ctx: Context, caller: Caller, invitation: Found): Promise<void> {
  const { id, document_id: documentId, user_id: senderId, channel, language } = invitation;
  const { userId } = caller;
  await changeAgreement(ctx, documentId, { actorId: userId, caller }, async (change) => {
    const { tx } = change;
    const next = await change.decide((agreement) => {
      // A concurrent request of the same user was first.
      if (agreement.openInvitations === 0) throw linkEnded();
      return acceptContact(agreement, userId);
    });
    if (!(await lockInvitation(tx, documentId, id))) throw linkEnded();
    await endInvitation(tx, id, { state: 'accepted', userId });
    // Stored as the start for reminders, but not sent: the user already has the page open.
    const beginning = { documentId, userId, kind: 'invited' as const, senderId, language };
    await insertTextMessage(tx, beginning, 'opened the invitation');
    await change.save(next, {
      type: 'party.contact_accepted',
      detail:
        channel === 'phone'
          ? 'Joined by an invitation to the phone number of this account'
          : 'Joined by an invitation to an e-mail address, which was proved by a code',
    });
    await takeAnswerBy(tx, id, userId);
  });
}

/** Asks auth for the current number, which may have changed. An address counts after a code has proved it. */
async function hasContact(
  ctx: Context,
  userId: string,
  { id, channel, contact }: Found,
  proof: string | null,
): Promise<boolean> {
  if (channel === 'phone') return (await ctx.directory.refresh(userId))?.phone_no === contact;
  if (proof === null) return false;
  const request = { invitation_id: id, proof_hash: digest(proof) };
  return (await ctx.bus.request(authRpc.invitationProof, request)).proved;
}
