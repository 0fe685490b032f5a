/**
 * Sends invitations. Each attempt makes a new link, because tokens are not stored. A message that may have
 * been sent is not repeated automatically: the person did not ask for it, and the creator can send it again.
 */
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import { isReplyLost } from '@karaar/bus';
import { SmsError } from '@karaar/sms';
import { claimDue, inMs } from '@karaar/db/claims';
import { startWorker, type Worker } from '@karaar/base/worker';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { digest, newToken } from './contact.ts';
import { forgetContacts, insertLink, type InvitationRow } from './invitations.repository.ts';
import { smsReports } from '../text-messages/sms-status.service.ts';
import { linkOf } from './invitations.service.ts';
import { invitationMessage } from './invitations.texts.ts';
import { contactHash, stopTokenFor } from './stop-token.ts';
import { isStopped } from './stops.repository.ts';

const LEASE_MS = 60_000;
const IDLE_MS = 2_000;
const SWEEP_MS = 60 * 60_000;
const AT_ONCE = 5;
const MAX_ATTEMPTS = 8;
const DEFAULT_LANGUAGE = 'en';

type Due = InvitationRow & { taken: boolean };
type Outcome = 'sent' | 'unconfirmed' | 'failed' | 'again';

export function startInvitationsWorker(ctx: Context): Worker {
  let sweptAt = 0;
  return startWorker({
    restMs: IDLE_MS,
    turn: async () => {
      if (Date.now() - sweptAt > SWEEP_MS) {
        await forgetContacts(ctx.db);
        sweptAt = Date.now();
      }
      return (await sendDueInvitations(ctx)) >= AT_ONCE;
    },
    onError: (err) => ctx.logger.warn({ err }, 'invitations cannot be sent'),
  });
}

/** Sends a few due invitations. Returns the number that was due. */
export async function sendDueInvitations(ctx: Context): Promise<number> {
  const due = await claimDue<Due>(ctx.db, {
    table: 'open_invitations',
    key: 'id',
    due: sql`sending = 'queued' AND due_at <= now() OR sending = 'sending' AND lease_until < now()`,
    order: sql`due_at`,
    limit: AT_ONCE,
    take: sql`sending = 'sending', attempts = attempts + 1, lease_until = ${inMs(LEASE_MS)}`,
    before: { name: 'taken', value: sql`sending = 'sending'` },
  });
  await Promise.all(due.map(async (one) => end(ctx, one, await outcomeOf(ctx, one))));
  return due.length;
}

async function outcomeOf(ctx: Context, invitation: Due): Promise<Outcome> {
  // An earlier attempt ended after it may have sent the message.
  if (invitation.taken) return 'unconfirmed';
  try {
    return await send(ctx, invitation);
  } catch (error) {
    ctx.logger.warn({ err: error, invitationId: invitation.id }, 'an invitation was not sent');
    if (!(error instanceof SmsError)) return isReplyLost(error) ? 'unconfirmed' : 'again';
    if (error.outcome === 'unknown') return 'unconfirmed';
    return error.outcome === 'not-sent' ? 'again' : 'failed';
  }
}

async function send(ctx: Context, invitation: Due): Promise<Outcome> {
  const { id, channel, contact, state } = invitation;
  const sender = await ctx.directory.findById(invitation.user_id);
  if (state !== 'open' || contact === null || !sender?.is_active) return 'failed';
  // Looks like a message that did not arrive: the creator must not learn that the contact stopped invitations.
  if (await isStopped(ctx.db, contactHash(ctx.contactsKey, { channel, contact }), invitation.user_id))
    return 'failed';
  const token = newToken();
  await insertLink(ctx.db, id, digest(token), true);
  const language = invitation.language ?? sender.language ?? DEFAULT_LANGUAGE;
  if (channel === 'phone') {
    const link = linkOf(ctx.config.PUBLIC_URL, token);
    const text = invitationMessage(contact, language, { sender: sender.char_id, link });
    await ctx.sms.send({ ...text, statusUrl: smsReports.statusUrlOf(ctx.config, invitation.message_id) });
    return 'sent';
  }
  const { outcome } = await ctx.bus.request(notificationsRpc.mailInvitation, {
    message_id: invitation.message_id,
    to: contact,
    language,
    sender: sender.char_id,
    token,
    answer_by: invitation.answer_by,
    stop_token: stopTokenFor(ctx.contactsKey, { channel, contact }, invitation.user_id),
  });
  if (outcome === 'sent') return 'sent';
  if (outcome === 'unknown') return 'unconfirmed';
  return outcome === 'refused' || outcome === 'none' ? 'failed' : 'again';
}

/** Has no effect if another worker has taken the invitation since, or the carrier has reported. */
async function end(ctx: Context, invitation: Due, outcome: Outcome): Promise<void> {
  const again = outcome === 'again' && invitation.attempts < MAX_ATTEMPTS;
  const set = again
    ? { sending: 'queued' as const, lease_until: null, due_at: inMs(5_000 * 2 ** invitation.attempts) }
    : {
        sending: outcome === 'again' ? ('failed' as const) : outcome,
        lease_until: null,
        settled_at: sql<Date>`now()`,
      };
  await ctx.db
    .updateTable('open_invitations')
    .set(set)
    .where('id', '=', invitation.id)
    .where('sending', '=', 'sending')
    .where('attempts', '=', invitation.attempts)
    .execute();
}
