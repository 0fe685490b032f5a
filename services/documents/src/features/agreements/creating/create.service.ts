import { inTransaction, randomCode8, uuidv7, type Tx } from '@karaar/db';
import type { Caller } from '../../../caller.ts';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/schema.ts';
import { requireCompleteProfile } from '../../directory/directory.service.ts';
import type { Remember } from '../../idempotency/idempotency.service.ts';
import { captureSubject } from '../../identity-verification/live-captures.service.ts';
import {
  takeVerification,
  type VerificationImages,
} from '../../identity-verification/verification.service.ts';
import { currentRatePaise } from '../../pricing/pricing.repository.ts';
import { parseUploads, useUploads } from '../../uploads/uploads.service.ts';
import { acceptFiles, codeExists, insertDocument, type NewDocument } from '../agreements.repository.ts';
import { acceptedDetail, parseAccepted, requireAccepted, type AcceptedFields } from '../files/accepted.ts';
import { forgetUploads, takeRawFiles, type SentFiles, type TakenFiles } from '../files/raw-files.service.ts';
import { createAgreement, createDraft } from '../rules/agreement.ts';
import { filesMissing } from '../rules/agreement.errors.ts';
import { beginAgreement } from '../transition.ts';
import { parseNewDocument, typedCode, type NewDocumentFields } from './new-document.ts';

export type Created = { document_id: string; document_code: string };
type Input = SentFiles & { fields: NewDocumentFields; accepted: AcceptedFields };

/**
 * Creates a pending document and verifies its creator with the images; leaves nothing behind on failure.
 * Throws 403 for an incomplete profile; 422 for a file that cannot become pages, for pictures or omitted
 * parts that were not accepted, and for an image without a face or an eye; 503 if vision or storage is down.
 */
export async function createDocument(
  ctx: Context,
  caller: Caller,
  input: Input & { images: VerificationImages },
  remember: Remember<Created>,
): Promise<Created> {
  const details = parseNewDocument(input.fields);
  const accepted = parseAccepted(input.accepted);
  await requireCompleteProfile(ctx, caller.userId);
  if (input.rawDocuments.length + parseUploads(input.uploads).length === 0) throw filesMissing();
  const created = await newDocument(ctx);
  const id = created.document_id;
  const taken = await takeRawFiles(ctx, { userId: caller.userId, documentId: id }, input);
  const kept: Pick<TakenFiles, 'discard'>[] = [taken];
  try {
    requireAccepted(taken.files, accepted);
    const verification = await takeVerification(ctx, caller.userId, input.images, captureSubject.creating);
    kept.push(verification);
    await inTransaction(ctx.db, async (tx) => {
      await insert(tx, caller, created, taken, { ...details, status: 'pending', targetCharId: null });
      await acceptFiles(tx, id, accepted);
      const photos = await verification.save(tx, id);
      const line = { type: 'document.created', detail: createdDetail(taken.files), photos };
      const agreement = { id, primaryUserId: caller.userId, rawFileCount: taken.files.length };
      await beginAgreement(ctx, tx, createAgreement(agreement), { caller, line });
      await remember(tx, created);
    });
  } catch (error) {
    await Promise.all(kept.map((each) => each.discard(error)));
    throw error;
  }
  ctx.outbox.wake();
  await forgetUploads(ctx, taken.uploads);
  return created;
}

/** Stores a private draft. Its history begins when it is submitted. */
export async function saveNewDraft(
  ctx: Context,
  caller: Caller,
  input: Input & { targetCharId: string | undefined },
  remember: Remember<Created>,
): Promise<Created> {
  const details = parseNewDocument(input.fields);
  const accepted = parseAccepted(input.accepted);
  const created = await newDocument(ctx);
  const id = created.document_id;
  const taken = await takeRawFiles(ctx, { userId: caller.userId, documentId: id }, input);
  try {
    const targetCharId = typedCode(input.targetCharId);
    await inTransaction(ctx.db, async (tx) => {
      await insert(tx, caller, created, taken, { ...details, status: 'draft', targetCharId });
      await acceptFiles(tx, id, accepted);
      const agreement = { id, primaryUserId: caller.userId, rawFileCount: taken.files.length };
      await beginAgreement(ctx, tx, createDraft(agreement));
      await remember(tx, created);
    });
  } catch (error) {
    await taken.discard(error);
    throw error;
  }
  await forgetUploads(ctx, taken.uploads);
  return created;
}

/** Returns the text of the history's first event. */
export const createdDetail = (files: Parameters<typeof acceptedDetail>[0]): string =>
  `Created with ${files.length === 1 ? '1 file' : `${files.length} files`}${acceptedDetail(files)}; creator verified by face, eye and signature`;

async function insert(
  tx: Tx<Database>,
  { userId }: Caller,
  { document_id: id, document_code: documentCode }: Created,
  { files: rawFiles, uploads }: TakenFiles,
  document: Omit<NewDocument, 'id' | 'documentCode' | 'primaryUser' | 'dailyRatePaise' | 'rawFiles'>,
): Promise<void> {
  // First: of two documents that use one upload at once, the second is refused before it names the file.
  await useUploads(tx, userId, uploads);
  const dailyRatePaise = await currentRatePaise(tx);
  await insertDocument(tx, { ...document, id, documentCode, rawFiles, primaryUser: userId, dailyRatePaise });
}

async function newDocument(ctx: Context): Promise<Created> {
  let code = randomCode8();
  while (await codeExists(ctx.db, code)) code = randomCode8();
  return { document_id: uuidv7(), document_code: code };
}
