/**
 * Documents as admins see them: no files, and images one by one, each with a reason (court packs:
 * `../court-pack`).
 */
import { adminActs } from '@karaar/contracts/admin';
import type { BiometricKind } from '@karaar/contracts/documents/http';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction } from '@karaar/db';
import { notFound } from '@karaar/base/errors';
import { eachRow } from '@karaar/db/keyset';
import type { Context } from '../../context.ts';
import { isUuid } from '@karaar/db';
import { documentNotFound } from '../agreements/rules/agreement.errors.ts';
import {
  findDocument,
  findDocuments,
  listEvents,
  type DocumentRecord,
} from '../agreements/agreement-records.repository.ts';
import { approvalsOf } from '../agreements/approvals/approvals.repository.ts';
import { findImage, findLogPlace, partyContacts, type AdminRecord } from './admin-detail.repository.ts';
import {
  countDocuments,
  listDocumentIds,
  type DocumentFilters,
  type DocumentPage,
  type StatusCounts,
} from './admin-list.repository.ts';

const DEFAULT_PAGE = 50;
const EXPORT_PAGE = 500;

const noSuchImage = () => notFound('image_not_found', 'This party has no such image.');

export async function listAll(
  ctx: Context,
  page: Omit<DocumentPage, 'limit'> & { limit?: number | undefined },
): Promise<{ items: DocumentRecord[]; nextCursor: string | null }> {
  const { items, nextCursor } = await listDocumentIds(ctx.db, { ...page, limit: page.limit ?? DEFAULT_PAGE });
  const ids = items.map(({ id }) => id);
  return { items: await findDocuments(ctx.db, ids), nextCursor };
}

export const countAll = (ctx: Context, days = 30): Promise<StatusCounts> => countDocuments(ctx.db, days);

/**
 * Returns all documents that match a filter, and records the export in the audit log. Throws before the first
 * row.
 */
export async function exportDocuments(
  ctx: Context,
  adminId: string,
  filters: DocumentFilters,
): Promise<AsyncIterable<DocumentRecord>> {
  await listAll(ctx, { ...filters, limit: 1 });
  const { status, from, to } = filters;
  const target = [status, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ');
  await inTransaction(ctx.db, (tx) =>
    recordAct(ctx.outbox, tx, adminActs.documents, { adminId, action: 'documents.exported', target }),
  );
  ctx.outbox.wake();
  return eachRow((cursor) => listAll(ctx, { ...filters, cursor, limit: EXPORT_PAGE }));
}

/** Returns the document as an admin sees it. Throws 404 for an unknown id. */
export async function getForAdmin(ctx: Context, id: string): Promise<AdminRecord> {
  const record = isUuid(id) ? await findDocument(ctx.db, id) : undefined;
  if (!record) throw documentNotFound();
  const [contacts, events, log, approvals] = await Promise.all([
    partyContacts(ctx.db, id),
    listEvents(ctx.db, id),
    findLogPlace(ctx.db, id),
    approvalsOf(ctx.db, id),
  ]);
  return { record, contacts, events, log, approvals };
}

/**
 * Returns one image of a party. Writes the audit log first, so that every view is recorded.
 *
 * @throws 404 for an unknown document, party or image
 */
export async function openBiometric(
  ctx: Context,
  adminId: string,
  request: { documentId: string; userId: string; kind: BiometricKind; reason: string },
): Promise<{ body: Buffer; mime: string }> {
  const { documentId, userId, kind, reason } = request;
  const record = isUuid(documentId) ? await findDocument(ctx.db, documentId) : undefined;
  if (!record) throw documentNotFound();
  const path = isUuid(userId) ? await findImage(ctx.db, documentId, userId, kind) : undefined;
  if (!path) throw noSuchImage();
  const party = record.parties.find((one) => one.user_id === userId);
  await inTransaction(ctx.db, (tx) =>
    recordAct(ctx.outbox, tx, adminActs.documents, {
      adminId,
      action: 'biometrics.opened',
      targetId: documentId,
      target: `${record.document.document_code} ${party?.char_id ?? userId} ${kind}`,
      reason,
    }),
  );
  ctx.outbox.wake();
  const { stream, mime } = await ctx.blobs.open(path);
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return { body: Buffer.concat(parts), mime };
}
