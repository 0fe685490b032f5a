import type { WordedBlocker } from '@karaar/contracts/auth/deletion-blocker';
import type { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { EXPORT_PAGE, type deletionRpc, type exportRpc } from '@karaar/contracts/personal-data';
import type { Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { queueKeyEntry } from '../signing-keys/key-entries.repository.ts';
import { keysOf } from '../signing-keys/signing-keys.repository.ts';
import {
  eraseRows,
  exportedKeys,
  exportRows,
  peopleRows,
  unfinishedNames,
  type ExportRow,
} from './personal-data.repository.ts';

const PEOPLE_PAGE = 500;
const NAMES_SHOWN = 3;

function presentExport({ document_id: _, ...row }: ExportRow) {
  return {
    ...row,
    approved_at: row.approved_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    verified_at: row.verified_at?.toISOString() ?? null,
  };
}

const keyItems = async (ctx: Context, userId: string) =>
  (await exportedKeys(ctx.db, userId)).map((key) => ({
    ...key,
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
  }));

/** Returns one page of the export: passkeys for signing, and agreements with the user's own part only. */
export async function exportPage(
  ctx: Context,
  { user_id, cursor }: RpcRequest<typeof exportRpc.documents>,
): Promise<RpcResponse<typeof exportRpc.documents>> {
  const rows = await exportRows(ctx.db, user_id, cursor);
  return {
    items: [...(cursor === null ? await keyItems(ctx, user_id) : []), ...rows.map(presentExport)],
    next_cursor: rows.length < EXPORT_PAGE ? null : (rows.at(-1)?.document_id ?? null),
  };
}

export async function findBlockers(
  ctx: Context,
  userId: string,
): Promise<RpcResponse<typeof deletionRpc.documents>> {
  const all = await unfinishedNames(ctx.db, userId);
  if (all.length === 0) return { blockers: [] };
  const names = all.slice(0, NAMES_SHOWN);
  const more = all.length - names.length;
  const shown = `${names.map((name) => `“${name}”`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const blocker: WordedBlocker = {
    code: 'unfinished_agreements',
    text: `These agreements are not finished: ${shown}. Finalize, cancel or reject them, or withdraw from them first.`,
    names,
    more,
  };
  return { blockers: [blocker] };
}

/** Returns one page of the users who share each document. */
export async function listPeople(
  ctx: Pick<Context, 'db'>,
  cursor: string | null,
): Promise<RpcResponse<typeof documentsRpc.people>> {
  const rows = await peopleRows(ctx.db, cursor, PEOPLE_PAGE);
  return {
    documents: rows.map(({ people, ...row }) => ({ ...row, people: people ?? [] })),
    next: rows.length < PEOPLE_PAGE ? null : (rows.at(-1)?.document_id ?? null),
  };
}

/**
 * Erases the data of a deleted user. The images become unreadable with the user's key. Images in a sealed
 * agreement stay, because they belong to the agreement.
 */
export async function erasePerson(ctx: Context, tx: Tx<Database>, userId: string): Promise<void> {
  for (const key of await keysOf(tx, userId)) await queueKeyEntry(tx, 'removed', key);
  const owners = await eraseRows(tx, userId);
  // Blobs are erased before the commit, so that a failure rolls back and is retried. Erasing is idempotent.
  for (const owner of [userId, ...owners]) await ctx.blobs.eraseOwner(owner);
}
