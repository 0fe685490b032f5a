import type { Delivery } from '@karaar/contracts/notifications/http';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import { causedBy, REFUSED, UNCONFIRMED, type CausedRow } from './deliveries.repository.ts';

/** Returns the messages about a document that a user has caused; `bounced` if the recipient's server refused. */
export const deliveriesCausedBy = async (ctx: Pick<Context, 'db'>, userId: string, documentId: string) =>
  (await causedBy(ctx.db, userId, documentId)).map((row) => ({
    ...row,
    state: shownState(row),
    bounced: row.reason === REFUSED,
  }));

function shownState({ state, reason }: CausedRow): Static<typeof Delivery>['state'] {
  if (state === 'sending' || state === 'batched') return 'queued';
  return state === 'sent' && reason === UNCONFIRMED ? 'unconfirmed' : state;
}
