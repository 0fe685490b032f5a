import type { Context } from '../../context.ts';
import { causedBy } from './deliveries.repository.ts';

/** Returns the e-mails about a document that the caller's own acts have caused. */
export const deliveriesCausedBy = (ctx: Pick<Context, 'db'>, userId: string, documentId: string) =>
  causedBy(ctx.db, userId, documentId);
