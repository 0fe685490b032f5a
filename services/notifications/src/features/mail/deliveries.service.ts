import type { Context } from '../../context.ts';
import { causedBy, REFUSED } from './deliveries.repository.ts';

/** Returns the e-mails about a document that a user has caused; `bounced` if the recipient's server refused. */
export const deliveriesCausedBy = async (ctx: Pick<Context, 'db'>, userId: string, documentId: string) =>
  (await causedBy(ctx.db, userId, documentId)).map(({ reason, ...row }) => ({
    ...row,
    bounced: reason === REFUSED,
  }));
