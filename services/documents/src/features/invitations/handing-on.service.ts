/** An invited person names another person who signs; the creator invites that person, or keeps the invitation. */
import { authRpc } from '@karaar/contracts/auth/rpc';
import { readLine } from '@karaar/base/schema';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { requireOpen } from '../agreements/rules/agreement.ts';
import { changeAgreement, recordFact } from '../agreements/transition.ts';
import { requireOpenLink } from './accepting.service.ts';
import { digest, readContact } from './contact.ts';
import { badContact, forAnother, handedOnBefore, linkEnded } from './invitations.errors.ts';
import { lockInvitation, setHandedOn } from './invitations.repository.ts';
import { onOpenInvitation } from './invitations.service.ts';

/** How often the person of one invitation can do this, because each time notifies the creator. */
const MOST = 2;

/**
 * Asks the creator to invite another person instead. The texts that the invited person typed are shown to the creator
 * only, and never sent by us. Throws 404 or 410 for a link that does not work, 403 without a proof of the invited
 * contact, 422 for an invalid contact or the invited one, 409 after two times.
 */
export async function handOn(
  ctx: Context,
  typed: { token: string; proof: string; name: string; contact: string },
): Promise<void> {
  const { id, document_id: documentId, contact: own } = await requireOpenLink(ctx, digest(typed.token));
  const request = { invitation_id: id, proof_hash: digest(typed.proof) };
  if (!(await ctx.bus.request(authRpc.invitationProof, request)).proved) throw forAnother();
  const name = readLine('name', typed.name) || null;
  const contact = typed.contact.trim() === '' ? null : readContact(typed.contact)?.contact;
  if (contact === undefined || contact === own) throw badContact();
  await changeAgreement(ctx, documentId, { actorId: null }, async ({ tx, before }) => {
    requireOpen(before);
    const invitation = await lockInvitation(tx, documentId, id);
    if (!invitation) throw linkEnded();
    if (invitation.hand_ons >= MOST) throw handedOnBefore();
    await setHandedOn(tx, id, { at: new Date().toISOString(), name, contact });
    await recordFact(ctx, tx, before, {
      type: 'party.contact_handed_on',
      actorId: null,
      detail: 'The invited person said that someone else signs',
    });
  });
}

/** The creator keeps the invitation as it is. Throws 403 unless the creator asks, 404 for an ended invitation. */
export const keepInvited = (ctx: Context, caller: Caller, documentId: string, id: string): Promise<void> =>
  onOpenInvitation(ctx, caller, documentId, id, (tx) => setHandedOn(tx, id, null));
