/** The directory for users (design §3 Who sees what), and the copy of the parties of documents. */
import { isUuid } from '@karaar/db';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { requireUser } from '../accounts/accounts.service.ts';
import type { UserRow } from '../accounts/accounts.repository.ts';
import { isContactSearch, usersPage } from '../accounts/user-search.ts';
import { contactsAmong, putSharedDocument } from './directory.repository.ts';

export type SeenUser = { user: UserRow; known: boolean };

/**
 * Returns a page of the viewer's circle and of the user whom the search names exactly. Searches by phone or
 * e-mail are limited, so that callers cannot find out which numbers have accounts.
 */
export async function listUsers(
  ctx: Context,
  viewerId: string,
  page: { search?: string | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<SeenUser[]> {
  const search = page.search?.trim();
  if (search && isContactSearch(search)) await ctx.contactSearches(viewerId);
  const users = await usersPage(ctx.db, viewerId, {
    search,
    cursor: page.cursor && isUuid(page.cursor) ? page.cursor : undefined,
    limit: page.limit ?? 50,
  }).execute();
  const contacts = await contactsAmong(
    ctx.db,
    viewerId,
    users.map((user) => user.id),
  );
  return users.map((user) => ({ user, known: user.id === viewerId || contacts.has(user.id) }));
}

/** @throws 404 for an unknown id */
export async function seeUser(ctx: Context, viewerId: string, id: string): Promise<SeenUser> {
  const user = await requireUser(ctx, id);
  const known = id === viewerId || (await contactsAmong(ctx.db, viewerId, [user.id])).has(user.id);
  return { user, known };
}

/**
 * Stores the newest version of a document's parties. Invited users do not count: otherwise a user could see
 * anyone's phone and e-mail by inviting them.
 */
export async function noteSharedDocument(
  tx: Tx<Database>,
  document: {
    document_id: string;
    primary_user: string;
    acquainted_users?: string[] | undefined;
    version: number;
  },
): Promise<void> {
  await putSharedDocument(tx, {
    id: document.document_id,
    people: [...new Set([document.primary_user, ...(document.acquainted_users ?? [])])],
    version: document.version,
  });
}

/**
 * Rebuilds the copy from the documents service if it is lost or in doubt. Returns the number of documents.
 */
export async function rebuildSharedDocuments(ctx: Pick<Context, 'bus' | 'db'>): Promise<number> {
  let cursor: string | null = null;
  let count = 0;
  do {
    const page: {
      documents: { document_id: string; people: string[]; version: number }[];
      next: string | null;
    } = await ctx.bus.request(documentsRpc.people, { cursor });
    for (const { document_id, people, version } of page.documents) {
      await putSharedDocument(ctx.db, { id: document_id, people, version });
    }
    count += page.documents.length;
    cursor = page.next;
  } while (cursor !== null);
  return count;
}
