import type { Context } from '../../context.ts';
import { causedBy } from './deliveries.repository.ts';

export const deliveriesCausedBy = (ctx: Pick<Context, 'db'>, userId: string, documentId: string) =>
  causedBy(ctx.db, userId, documentId);
