import type { Delivery } from '@karaar/contracts/notifications/http';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import { causedBy, REFUSED, UNCONFIRMED, type CausedRow } from './deliveries.repository.ts';

type Shown = Static<typeof Delivery>;

/** Returns the messages about a document that a user has caused, newest first. */
export const deliveriesCausedBy = async (
  ctx: Pick<Context, 'db'>,
  userId: string,
  documentId: string,
): Promise<Shown[]> => (await causedBy(ctx.db, userId, documentId)).map(shown);

function shown(row: CausedRow): Shown {
  const { kind, channel, user_id, at, reason, report } = row;
  const state = stateOf(row);
  const ofMail = channel === 'email' && state === 'failed' ? { bounced: reason === REFUSED } : {};
  const ofSms = report && report !== 'delivered' ? { cause: report } : {};
  return { kind, channel, user_id, state, ...ofMail, ...ofSms, at: at.toISOString() };
}

function stateOf({ state, reason, report }: CausedRow): Shown['state'] {
  if (report) return report === 'delivered' ? 'delivered' : 'failed';
  if (state === 'sending' || state === 'batched') return 'queued';
  return state === 'sent' && reason === UNCONFIRMED ? 'unconfirmed' : state;
}
