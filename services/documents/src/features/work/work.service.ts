import type { Context } from '../../context.ts';
import { openWork } from './work.repository.ts';
import { inOrder, workOn, type Worklist } from './work.ts';

/** Returns what the user has to do, in order, and what waits for others. */
export async function listWork(ctx: Context, userId: string): Promise<Worklist> {
  const all = (await openWork(ctx.db, userId)).map((document) => workOn(document, userId));
  return {
    mine: inOrder(all.flatMap((work) => work.mine)),
    others: all.flatMap((work) => work.others),
  };
}
