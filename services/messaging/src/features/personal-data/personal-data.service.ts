import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { EXPORT_PAGE, type exportRpc } from '@karaar/contracts/personal-data';
import type { Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { forgetApproaches } from '../approaches/approaches.repository.ts';
import { forgetUser } from '../safety/safety.repository.ts';
import { forgetContactSearches } from '../threads/contact-searches.repository.ts';
import { eraseSent, sentRows } from './personal-data.repository.ts';

/**
 * A message has up to 4,000 characters of three bytes, so fewer rows than elsewhere fit one answer of the
 * broker.
 */
const PAGE = Math.min(EXPORT_PAGE, 60);

/** Returns a page of the messages that a user sent, oldest first. */
export async function exportPage(
  ctx: Context,
  { user_id, cursor }: RpcRequest<typeof exportRpc.messages>,
): Promise<RpcResponse<typeof exportRpc.messages>> {
  const rows = await sentRows(ctx.db, user_id, cursor, PAGE);
  return {
    items: rows.map((row) => ({
      at: row.created_at.toISOString(),
      to: row.receiver_name ?? '',
      content: row.content,
      attachment: row.attachment_name,
    })),
    next_cursor: rows.length < PAGE ? null : (rows.at(-1)?.id ?? null),
  };
}

export async function erasePerson(ctx: Context, tx: Tx<Database>, userId: string): Promise<void> {
  await eraseSent(tx, userId);
  await forgetUser(tx, userId);
  await forgetApproaches(tx, userId);
  await forgetContactSearches(tx, userId);
  // Inside the transaction, so that a failure is retried; erasing is idempotent.
  await ctx.blobs.eraseOwner(userId);
}
