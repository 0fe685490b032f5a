/** Creating documents: at once, or by way of a private draft. */
import { inTransaction, randomCode8, uuidv7, type Tx } from '@karaar/platform/db-kit';
import type { Caller } from '../../../caller.ts';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/schema.ts';
import { requireCaller } from '../../directory/directory.service.ts';
import type { Remember } from '../../idempotency/idempotency.service.ts';
import { currentRatePaise } from '../../pricing/pricing.repository.ts';
import { captureSubject } from '../../identity-verification/live-captures.service.ts';
import { withSources } from '@karaar/rendering';
import {
  takeVerification,
  type VerificationImages,
} from '../../identity-verification/verification.service.ts';
import { createAgreement, createDraft, type Agreement } from '../rules/agreement.ts';
import { filesMissing, profileIncomplete } from '../rules/agreement.errors.ts';
import { appendEvent } from '../agreement-events.repository.ts';
import {
  acceptFiles,
  codeExists,
  insertDocument,
  saveAgreement,
  type NewDocument,
} from '../agreements.repository.ts';
import { filesDigest } from '../files/files-digest.ts';
import { parseNewDocument, typedCode, type NewDocumentFields } from './new-document.ts';
import { acceptedDetail, parseAccepted, requireAccepted, type AcceptedFields } from '../files/accepted.ts';
import { forgetUploads, takeRawFiles, type SentFiles, type TakenFiles } from '../files/raw-files.service.ts';
import { parseUploads, useUploads } from '../../uploads/uploads.service.ts';
import { announce } from '../transition.ts';

export type Created = { document_id: string; document_code: string };
type Input = SentFiles & { fields: NewDocumentFields; accepted: AcceptedFields };

/**
 * Creates a pending document; the images are its creator's verification.
 * Throws 403 for an incomplete profile, 422 for a file that cannot become pages, pages kept as pictures or parts left out
 * that were not accepted, or an image without face or eye, 503 when vision or storage is down. Nothing stays behind when it fails.
 */
export async function createDocument(
  ctx: Context,
  caller: Caller,
  input: Input & { images: VerificationImages },
  remember: Remember<Created>,
): Promise<Created> {
  const details = parseNewDocument(input.fields);
  const accepted = parseAccepted(input.accepted);
  const { profile_complete } = await requireCaller(ctx, caller.userId);
  if (!profile_complete) throw profileIncomplete();
  if (input.rawDocuments.length + parseUploads(input.uploads).length === 0) throw filesMissing();
  const id = uuidv7();
  const taken = await takeRawFiles(ctx, { userId: caller.userId, documentId: id }, input);
  const verify = async () => {
    requireAccepted(taken.files, accepted);
    return takeVerification(ctx, caller.userId, input.images, captureSubject.creating);
  };
  const verification = await verify().catch(async (error: unknown) => {
    await taken.discard(error);
    throw error;
  });
  return withFiles(ctx, taken, verification.discard, async (rawFiles) => {
    const agreement = createAgreement({
      id,
      primaryUserId: caller.userId,
      rawFileCount: rawFiles.length,
    });
    const document = { id, ...details, rawFiles, status: 'pending', targetCharId: null } as const;
    return insert(ctx, caller, agreement, document, taken.uploads, async (tx, created, digest) => {
      await acceptFiles(tx, id, accepted);
      const photos = await verification.save(tx, id);
      await appendEvent(tx, {
        documentId: id,
        type: 'document.created',
        actorId: caller.userId,
        origin: caller.origin,
        detail: withSources(createdDetail(rawFiles), photos),
        photos,
        statusFrom: null,
        statusTo: agreement.status,
        filesSha256: digest,
      });
      const draft: Agreement = { ...agreement, status: 'draft' };
      await announce(ctx, tx, {
        before: draft,
        after: agreement,
        version: 1,
        change: 'document.created',
        actorId: caller.userId,
        subjectId: null,
      });
      await remember(tx, created);
    });
  });
}

/** Keeps a draft that only its owner sees; it has no history until it is submitted. */
export async function saveNewDraft(
  ctx: Context,
  caller: Caller,
  input: Input & { targetCharId: string | undefined },
  remember: Remember<Created>,
): Promise<Created> {
  const details = parseNewDocument(input.fields);
  const accepted = parseAccepted(input.accepted);
  const id = uuidv7();
  const taken = await takeRawFiles(ctx, { userId: caller.userId, documentId: id }, input);
  return withFiles(ctx, taken, undefined, (rawFiles) => {
    const agreement = createDraft({ id, primaryUserId: caller.userId, rawFileCount: rawFiles.length });
    const targetCharId = typedCode(input.targetCharId);
    const document = { id, ...details, rawFiles, status: 'draft', targetCharId } as const;
    return insert(ctx, caller, agreement, document, taken.uploads, async (tx, created) => {
      await acceptFiles(tx, id, accepted);
      await remember(tx, created);
    });
  });
}

/** The history's first line. */
export const createdDetail = (files: Parameters<typeof acceptedDetail>[0]): string =>
  `Created with ${files.length === 1 ? '1 file' : `${files.length} files`}${acceptedDetail(files)}; creator verified by face, eye and signature`;

/** Runs `work` with the files that are stored already, and takes everything back when that fails. */
async function withFiles<T>(
  ctx: Context,
  taken: TakenFiles,
  discardToo: TakenFiles['discard'] | undefined,
  work: (files: NewDocument['rawFiles']) => Promise<T>,
): Promise<T> {
  let result;
  try {
    result = await work(taken.files);
  } catch (error) {
    await Promise.all([discardToo?.(error), taken.discard(error)]);
    throw error;
  }
  await forgetUploads(ctx, taken.uploads);
  return result;
}

async function insert(
  ctx: Context,
  caller: Caller,
  agreement: Agreement,
  document: Omit<NewDocument, 'documentCode' | 'primaryUser' | 'dailyRatePaise'>,
  uploads: readonly string[],
  also: (tx: Tx<Database>, created: Created, digest: string) => Promise<void>,
): Promise<Created> {
  const documentCode = await unusedCode(ctx);
  const created = { document_id: agreement.id, document_code: documentCode };
  const digest = filesDigest(document.rawFiles.map((file, ordinal) => ({ ...file, ordinal })));
  await inTransaction(ctx.db, async (tx) => {
    // First: of two documents that use a file at once, the second is refused before it names the file too.
    await useUploads(tx, caller.userId, uploads);
    const dailyRatePaise = await currentRatePaise(tx);
    await insertDocument(tx, { ...document, documentCode, primaryUser: caller.userId, dailyRatePaise });
    await saveAgreement(tx, undefined, agreement, 1, digest);
    await also(tx, created, digest);
  });
  ctx.outbox.poke();
  return created;
}

async function unusedCode(ctx: Context): Promise<string> {
  let code = randomCode8();
  while (await codeExists(ctx.db, code)) code = randomCode8();
  return code;
}
