import type { Context } from '../../context.ts';
import { openWork, workOfDocument } from './work.repository.ts';
import { inOrder, workOn, type Worklist } from './work.ts';

/** Returns what the user has to do, in order, and what waits for others. */
export async function listWork(ctx: Context, userId: string): Promise<Worklist> {
  const all = (await openWork(ctx.db, userId)).map((document) => workOn(document, userId));
  return {
    mine: inOrder(all.flatMap((work) => work.mine)),
    others: all.flatMap((work) => work.others),
  };
}

/** Returns true if the document is in the user's list of work. */
export async function needsUser(ctx: Context, userId: string, id: string): Promise<boolean> {
  const document = await workOfDocument(ctx.db, id);
  return document !== undefined && workOn(document, userId).mine.length > 0;
}
