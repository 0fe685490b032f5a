import type { InvitationStop } from '@karaar/contracts/documents/invitations';
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { stopLinkInvalid } from './invitations.errors.ts';
import { readStopToken, type StopSubject } from './stop-token.ts';
import { readStop, writeStop } from './stops.repository.ts';

type StopContext = Pick<Context, 'db' | 'contactsKey' | 'directory'>;

/** Returns the stop of a token's contact. Throws 400 for a token that is not ours. */
export const lookUpStop = (ctx: StopContext, token: string) => present(ctx, requireSubject(ctx, token));

/** Stops invitations to a token's contact, or allows them again. Throws 400 for a token that is not ours. */
export async function stopInvitations(ctx: StopContext, token: string, stop: InvitationStop) {
  const subject = requireSubject(ctx, token);
  await inTransaction(ctx.db, (tx) => writeStop(tx, subject.hash, subject.senderId, stop));
  return present(ctx, subject);
}

function requireSubject({ contactsKey }: StopContext, token: string): StopSubject {
  const subject = readStopToken(contactsKey, token);
  if (!subject) throw stopLinkInvalid();
  return subject;
}

async function present(ctx: StopContext, { channel, senderId, hash }: StopSubject) {
  const sender = await ctx.directory.findById(senderId);
  return {
    channel,
    inviter_char_id: sender?.is_active ? sender.char_id : '',
    stop: await readStop(ctx.db, hash, senderId),
  };
}
