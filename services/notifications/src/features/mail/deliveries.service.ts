/** How the e-mails are on their way that a user has caused. */
import type { Context } from '../../context.ts';
import { causedBy } from './deliveries.repository.ts';

/** Of a document, those that the caller's own acts have caused: of another user's document there is nothing to see. */
export const deliveriesCausedBy = (ctx: Pick<Context, 'db'>, userId: string, documentId: string) =>
  causedBy(ctx.db, userId, documentId);
