/** Creating and reading agreements. */
import { createReadStream } from 'node:fs';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { RAW_FILES_TOTAL_BYTES } from '@karaar/contracts/limits';
import { inTransaction, randomCode8, uuidv7 } from '@karaar/platform/db-kit';
import { payloadTooLarge } from '@karaar/platform/errors';
import type { SpooledFile } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { isUuid } from '../../ids.ts';
import { requireCaller } from '../directory/directory.service.ts';
import { currentRatePaise } from '../pricing/pricing.repository.ts';
import { takeVerification, type VerificationImages } from '../verification/verification.service.ts';
import { createAgreement } from './agreement.ts';
import { documentNotFound, fieldFault, notInvolved, profileIncomplete } from './agreement.errors.ts';
import {
  findDocument,
  isFileOfInvolvedUser,
  listDocumentsOf,
  listEvents,
  listInvitationsOf,
  type DocumentRecord,
  type EventRow,
} from './agreement-records.repository.ts';
import {
  appendEvent,
  codeExists,
  insertDocument,
  saveAgreement,
  type RawFileRow,
} from './agreements.repository.ts';
import { filesDigest } from './files-digest.ts';
import { parseNewDocument, type NewDocumentFields } from './new-document.ts';

type NewRawFile = Omit<RawFileRow, 'document_id' | 'ordinal'>;

/**
 * Creates a pending document; the images are its creator's verification.
 * Throws 403 for an incomplete profile, 422 for a file that cannot become pages or an image without
 * face or eye, 503 when vision or storage is down. Nothing stays behind when it fails.
 */
export async function createDocument(
  ctx: Context,
  userId: string,
  input: { fields: NewDocumentFields; rawDocuments: SpooledFile[]; images: VerificationImages },
): Promise<{ documentId: string; documentCode: string }> {
  const details = parseNewDocument(input.fields);
  const caller = await requireCaller(ctx, userId);
  if (!caller.profile_complete) throw profileIncomplete();
  await inspectRawDocuments(ctx, input.rawDocuments);
  const verification = await takeVerification(ctx, userId, input.images);

  const id = uuidv7();
  const stored: NewRawFile[] = [];
  try {
    for (const file of input.rawDocuments) stored.push(await storeRawFile(ctx, id, file));
    const documentCode = await unusedCode(ctx);
    const agreement = createAgreement({ id, primaryUserId: userId, rawFileCount: stored.length });
    const digest = filesDigest(stored.map((file, ordinal) => ({ ...file, ordinal })));
    await inTransaction(ctx.db, async (tx) => {
      const dailyRatePaise = await currentRatePaise(tx);
      await insertDocument(tx, {
        id,
        documentCode,
        ...details,
        primaryUser: userId,
        dailyRatePaise,
        rawFiles: stored,
      });
      await saveAgreement(tx, undefined, agreement, 1, digest);
      await verification.save(tx, id);
      await appendEvent(tx, {
        documentId: id,
        type: 'document.created',
        actorId: userId,
        detail: `Created with ${stored.length === 1 ? '1 file' : `${stored.length} files`}; creator verified by face, eye and signature`,
        statusFrom: null,
        statusTo: agreement.status,
        filesSha256: digest,
      });
      await ctx.outbox.add(tx, documentsEvents.created, {
        aggregateId: id,
        aggregateVersion: 1,
        data: { document_id: id, status: agreement.status, primary_user: userId, involved_users: [userId] },
      });
    });
    ctx.outbox.poke();
    return { documentId: id, documentCode };
  } catch (error) {
    await Promise.all([verification.discard(), ...stored.map((file) => ctx.blobs.delete(file.path))]);
    throw error;
  }
}

/** A document and whether the viewer is involved in it. Throws 404 for an unknown one. */
export async function getDocument(
  ctx: Context,
  viewerId: string,
  id: string,
): Promise<{ record: DocumentRecord; involved: boolean }> {
  const record = isUuid(id) ? await findDocument(ctx.db, id) : undefined;
  if (!record) throw documentNotFound();
  const involved = record.parties.some((party) => party.user_id === viewerId && party.state !== 'requested');
  return { record, involved };
}

/** The document when the viewer is involved in it; 404 when unknown, 403 otherwise. */
export async function getInvolvedDocument(
  ctx: Context,
  viewerId: string,
  id: string,
): Promise<DocumentRecord> {
  const { record, involved } = await getDocument(ctx, viewerId, id);
  if (!involved) throw notInvolved();
  return record;
}

export function listMine(
  ctx: Context,
  userId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<DocumentRecord[]> {
  const before = page.cursor && isUuid(page.cursor) ? page.cursor : undefined;
  return listDocumentsOf(ctx.db, userId, { before, limit: page.limit ?? 100 });
}

export const listPendingAgreements = (ctx: Context, userId: string): Promise<DocumentRecord[]> =>
  listInvitationsOf(ctx.db, userId);

export async function listHistory(ctx: Context, viewerId: string, id: string): Promise<EventRow[]> {
  await getInvolvedDocument(ctx, viewerId, id);
  return listEvents(ctx.db, id);
}

/** Asked for each opening of a link: a party that was removed loses the files before the link expires. */
export const mayOpenFile = (ctx: Context, viewerId: string, path: string): Promise<boolean> =>
  isFileOfInvolvedUser(ctx.db, path, viewerId);

async function inspectRawDocuments(ctx: Context, files: SpooledFile[]): Promise<void> {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total > RAW_FILES_TOTAL_BYTES) {
    throw payloadTooLarge('files_too_large', 'All files together may have 200 MB at most.');
  }
  for (const file of files) {
    if (file.size === 0) throw fieldFault('raw_documents', `${file.filename} is empty.`);
    const kind = acceptedKind(file);
    const { reason } = await ctx.renderer.inspectUpload({ name: file.filename, kind, path: file.path });
    if (reason) throw fieldFault('raw_documents', reason);
  }
}

/** PDF, DOC, DOCX, PNG or JPEG (spec §5), by content. */
function acceptedKind(file: SpooledFile): RawFileRow['kind'] {
  const refused = file.kind === 'other' || (file.kind === 'image' && !/^image\/(png|jpeg)$/.test(file.mime));
  if (refused || file.kind === 'other') {
    throw fieldFault('raw_documents', `${file.filename} is no PDF, DOC, DOCX, PNG or JPEG file.`);
  }
  return file.kind;
}

async function storeRawFile(ctx: Context, documentId: string, file: SpooledFile): Promise<NewRawFile> {
  const blob = await ctx.blobs.put(documentId, createReadStream(file.path), { mime: file.mime });
  return {
    name: file.filename,
    kind: acceptedKind(file),
    mime: file.mime,
    size: file.size,
    sha256: file.sha256,
    path: blob.path,
  };
}

async function unusedCode(ctx: Context): Promise<string> {
  let code = randomCode8();
  while (await codeExists(ctx.db, code)) code = randomCode8();
  return code;
}
