import type { DocumentSort, DocumentStatus } from '@karaar/contracts/documents/http';
import type { Context } from '../../context.ts';
import { isUuid } from '@karaar/db';
import type { MountOptions } from '@karaar/http';
import { requirePrimary, type Agreement } from './rules/agreement.ts';
import { labelsOf, labelsOfUser } from './labels/labels.repository.ts';
import { documentNotFound, notInvolved } from './rules/agreement.errors.ts';
import {
  findDocument,
  findDocuments,
  isFileOfInvolvedUser,
  isPhotoForCreator,
  listEvents,
  type DocumentRecord,
  type EventRow,
} from './agreement-records.repository.ts';
import { partyOf } from './agreements.repository.ts';
import { cursorOf, placeOf } from './listing/cursor.ts';
import { isFileOfUpload } from '../uploads/uploads.repository.ts';
import { countByStatus, listIds, waitingIds } from './listing/listing.repository.ts';

const DEFAULT_PAGE = 100;
const MOST_INVITATIONS = 200;

/**
 * Returns a document and whether it involves the viewer.
 * @throws 404 for an unknown document or another user's draft
 */
export async function getDocument(
  ctx: Context,
  viewerId: string,
  id: string,
): Promise<{ record: DocumentRecord; involved: boolean }> {
  const record = isUuid(id) ? await findDocument(ctx.db, id) : undefined;
  if (!record || (record.document.status === 'draft' && record.document.primary_user !== viewerId)) {
    throw documentNotFound();
  }
  const involved = record.parties.some((party) => party.user_id === viewerId && party.state !== 'requested');
  return { record, involved };
}

/**
 * Returns a document that involves the viewer.
 * @throws 404 for an unknown document, 403 if it does not involve the viewer
 */
export async function getInvolvedDocument(
  ctx: Context,
  viewerId: string,
  id: string,
): Promise<DocumentRecord> {
  const { record, involved } = await getDocument(ctx, viewerId, id);
  if (!involved) throw notInvolved();
  return record;
}

type About = Parameters<NonNullable<MountOptions['rightsFirst']>>[0];

/** Before errors about the body: 404 as `getDocument`, 403 for a caller whom the document does not involve. */
export const partyRightsFirst = (ctx: Context) => ({
  rightsFirst: ({ principal, params }: About) =>
    getInvolvedDocument(ctx, principal.userId, params['id'] ?? ''),
});

/** Before errors about the body: 404 as `getDocument`, 403 for any caller but the creator. */
export const creatorRightsFirst = (ctx: Context) => ({
  rightsFirst: async ({ principal, params }: About) => {
    const { record } = await getDocument(ctx, principal.userId, params['id'] ?? '');
    requirePrimary(agreementOf(record), principal.userId);
  },
});

export const agreementOf = ({ document, rawFiles, parties, openInvitations }: DocumentRecord): Agreement => ({
  id: document.id,
  status: document.status,
  primaryUserId: document.primary_user,
  finalizing: document.finalizing,
  cancelled: document.cancelled,
  rawFileCount: rawFiles.length,
  openInvitations: openInvitations.length,
  parties: parties.map(partyOf),
});

export type ListQuery = {
  search?: string | undefined;
  status?: DocumentStatus | '' | undefined;
  archived?: boolean | undefined;
  label?: string | undefined;
  sort?: DocumentSort | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** Returns one page of the user's documents; the last page has no cursor. Throws 400 for a bad cursor. */
export async function listMine(
  ctx: Context,
  userId: string,
  query: ListQuery,
): Promise<{ records: DocumentRecord[]; nextCursor: string | null }> {
  const sort = query.sort ?? 'newest';
  const limit = query.limit ?? DEFAULT_PAGE;
  const places = await listIds(ctx.db, userId, {
    search: query.search,
    status: query.status || undefined,
    archived: query.archived,
    label: query.label,
    sort,
    after: placeOf(sort, query.cursor),
    limit,
  });
  const page = places.slice(0, limit);
  const last = page.at(-1);
  const ids = page.map((place) => place.id);
  return {
    records: await withLabels(ctx, userId, await findDocuments(ctx.db, ids)),
    nextCursor: last && places.length > limit ? cursorOf(sort, last) : null,
  };
}

/** Returns the records with the user's own labels. */
export async function withLabels(
  ctx: Context,
  userId: string,
  records: DocumentRecord[],
): Promise<DocumentRecord[]> {
  const ids = records.map(({ document }) => document.id);
  const labels = await labelsOf(ctx.db, userId, ids);
  return records.map((record) => ({ ...record, labels: labels.get(record.document.id) }));
}

export const countMine = async (ctx: Context, userId: string) => ({
  ...(await countByStatus(ctx.db, userId)),
  labels: (await labelsOfUser(ctx.db, userId)).map(({ name }) => name),
});

export const listPendingAgreements = async (ctx: Context, userId: string): Promise<DocumentRecord[]> =>
  findDocuments(ctx.db, await waitingIds(ctx.db, userId, MOST_INVITATIONS));

export async function listHistory(
  ctx: Context,
  viewerId: string,
  id: string,
): Promise<{ events: EventRow[]; isCreator: boolean }> {
  const { document } = await getInvolvedDocument(ctx, viewerId, id);
  return { events: await listEvents(ctx.db, id), isCreator: document.primary_user === viewerId };
}

/** Runs on each request for a file, so that a removed party loses access before the link expires. */
export const mayOpenFile = async (ctx: Context, viewerId: string, path: string): Promise<boolean> =>
  (await isFileOfInvolvedUser(ctx.db, path, viewerId)) ||
  (await isFileOfUpload(ctx.db, path, viewerId)) ||
  isPhotoForCreator(ctx.db, path, viewerId);
