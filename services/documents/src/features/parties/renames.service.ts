import type { Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { renamed } from '../agreements/agreement-events.repository.ts';
import { lockAgreement } from '../agreements/agreements.repository.ts';
import { openUnderOtherName, recordNames } from '../agreements/party-names.repository.ts';
import { recordFact } from '../agreements/transition.ts';

/** Records a changed name in the user's open documents, and publishes it to the other parties. */
export async function recordRenames(
  ctx: Context,
  tx: Tx<Database>,
  user: { user_id: string; name: string },
): Promise<void> {
  for (const id of await openUnderOtherName(tx, user.user_id, user.name))
    await recordRename(ctx, tx, id, user.user_id);
}

async function recordRename(ctx: Context, tx: Tx<Database>, id: string, userId: string): Promise<void> {
  const locked = await lockAgreement(tx, id);
  if (!locked) return;
  const [rename] = await recordNames(tx, [{ documentId: id, userId }]);
  if (rename) await recordFact(ctx, tx, locked.agreement, renamed(rename));
}
