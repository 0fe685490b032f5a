/**
 * Proves the number or address of an invitation with a code (docs/adr/0078). The holder of the link requests
 * the code, which goes only to the invited contact, with or without an account.
 */
import { createHash } from 'node:crypto';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { RpcRequest } from '@karaar/contracts/kit';
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import type { Language } from '@karaar/contracts/limits';
import { notFound, unavailable } from '@karaar/base/errors';
import { isReplyLost } from '@karaar/bus';
import type { Context } from '../../context.ts';
import { openByPhone } from '../accounts/phone.service.ts';
import { keyed, type Purpose } from '../otp/otp.ts';
import { redeemCode, sendCode, type Sent } from '../otp/otp.service.ts';
import { contactCode } from '../otp/texts.ts';
import type { Origin } from '../sessions/device.ts';
import { insertProof, isProved } from '../accounts/contact-proofs.repository.ts';

const linkEnded = () =>
  notFound('invitation_ended', 'This invitation does not work any more. Ask the sender for a new one.');
const mailAway = (cause?: unknown) =>
  unavailable(
    'mail_unavailable',
    'The code could not be sent just now. Please try again in a minute.',
    cause,
  );

async function requireInvitation(ctx: Context, token: string) {
  const token_hash = createHash('sha256').update(token).digest('hex');
  const { invitation } = await ctx.bus.request(documentsRpc.invitationContact, { token_hash });
  if (!invitation) throw linkEnded();
  return invitation;
}

/** Valid for each link to the contact, so that a stranger's link does not use up the texts of another link. */
const purposeOf = ({ contact }: { contact: string }): Purpose => ({ purpose: 'invitation', phone: contact });

/**
 * Sends a code to the contact of a link.
 * @throws 404 for a link that does not work; 429 and 503 as for a sign-in code
 */
export async function sendInvitationCode(
  ctx: Context,
  token: string,
  ip: string,
  language: Language = 'en',
): Promise<Sent> {
  const invitation = await requireInvitation(ctx, token);
  const { channel, contact } = invitation;
  const from = { ip, as: `invitation:${invitation.id}`, own: true };
  return sendCode(ctx, purposeOf(invitation), from, async (code, id) => {
    if (channel === 'phone') return ctx.sms.send(contactCode(contact, language, { code }));
    await mailCode(ctx, { message_id: id, to: contact, language, code });
  });
}

/**
 * Sends a code by e-mail. A message that may still arrive counts as sent.
 * @throws 503 when it cannot be sent, or its outcome is not known
 */
export async function mailCode(
  ctx: Pick<Context, 'bus'>,
  mail: RpcRequest<typeof notificationsRpc.mailCode>,
): Promise<void> {
  const { outcome } = await ctx.bus.request(notificationsRpc.mailCode, mail).catch((error: unknown) => {
    throw isReplyLost(error) ? mailAway(error) : error;
  });
  if (outcome !== 'sent' && outcome !== 'unknown') throw mailAway();
}

/**
 * Uses the code up. It signs in an account with the invited number, as a sign-in code does. Every caller gets
 * a proof that is valid for two hours.
 * @throws 400 for a wrong code; 403 for a deactivated account
 */
export async function proveInvitation(
  ctx: Context,
  { token, otp, challenge_id }: { token: string; otp: string; challenge_id?: string | undefined },
  origin: Origin,
) {
  const invitation = await requireInvitation(ctx, token);
  await redeemCode(ctx, purposeOf(invitation), otp, challenge_id);
  const { id, channel, contact } = invitation;
  const proof = await insertProof(ctx.db, id, keyed(ctx.pepper, contact));
  const known = channel === 'phone' && (await ctx.phoneOwner(contact)).known;
  return { channel, contact, proof, session: known ? await openByPhone(ctx, contact, origin) : null };
}

/** Returns whether the holder of the proof has proved the invitation's contact. Documents calls this. */
export const hasProved = async (
  ctx: Pick<Context, 'db'>,
  request: { invitation_id: string; proof_hash: string },
) => ({ proved: await isProved(ctx.db, request.invitation_id, request.proof_hash) });
