/** Creating documents: at once, or by way of a private draft. */
import { inTransaction, randomCode8, uuidv7, type Tx } from '@karaar/platform/db-kit';
import type { SpooledFile } from '@karaar/platform/http-kit';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { requireCaller } from '../directory/directory.service.ts';
import type { Remember } from '../idempotency/idempotency.service.ts';
import { currentRatePaise } from '../pricing/pricing.repository.ts';
import { captureSubject } from '../verification/live-captures.service.ts';
import { withSources } from '../../rendering/photo-words.ts';
import { takeVerification, type VerificationImages } from '../verification/verification.service.ts';
import { createAgreement, createDraft, type Agreement } from './agreement.ts';
import { filesMissing, profileIncomplete } from './agreement.errors.ts';
import { appendEvent } from './agreement-events.repository.ts';
import { codeExists, insertDocument, saveAgreement, type NewDocument } from './agreements.repository.ts';
import { filesDigest } from './files-digest.ts';
import { parseNewDocument, type NewDocumentFields } from './new-document.ts';
import { inspectRawFiles, storeRawFiles } from './raw-files.service.ts';
import { announce } from './transition.ts';

export type Created = { document_id: string; document_code: string };
type Input = { fields: NewDocumentFields; rawDocuments: SpooledFile[] };

/**
 * Creates a pending document; the images are its creator's verification.
 * Throws 403 for an incomplete profile, 422 for a file that cannot become pages or an image without
 * face or eye, 503 when vision or storage is down. Nothing stays behind when it fails.
 */
export async function createDocument(
  ctx: Context,
  caller: Caller,
  input: Input & { images: VerificationImages },
  remember: Remember<Created>,
): Promise<Created> {
  const details = parseNewDocument(input.fields);
  const { profile_complete } = await requireCaller(ctx, caller.userId);
  if (!profile_complete) throw profileIncomplete();
  if (input.rawDocuments.length === 0) throw filesMissing();
  const inspected = await inspectRawFiles(ctx, input.rawDocuments);
  const verification = await takeVerification(ctx, caller.userId, input.images, captureSubject.creating);
  const id = uuidv7();
  return withFiles(ctx, id, inspected, verification.discard, async (rawFiles) => {
    const agreement = createAgreement({
      id,
      primaryUserId: caller.userId,
      rawFileCount: rawFiles.length,
    });
    const document = { id, ...details, rawFiles, status: 'pending', targetCharId: null } as const;
    return insert(ctx, caller, agreement, document, async (tx, created, digest) => {
      const photos = await verification.save(tx, id);
      await appendEvent(tx, {
        documentId: id,
        type: 'document.created',
        actorId: caller.userId,
        origin: caller.origin,
        detail: withSources(createdDetail(rawFiles.length), photos),
        photos,
        statusFrom: null,
        statusTo: agreement.status,
        filesSha256: digest,
      });
      const draft: Agreement = { ...agreement, status: 'draft' };
      await announce(ctx, tx, { before: draft, after: agreement, version: 1, change: 'document.created' });
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
  const inspected = await inspectRawFiles(ctx, input.rawDocuments);
  const id = uuidv7();
  return withFiles(ctx, id, inspected, undefined, (rawFiles) => {
    const agreement = createDraft({ id, primaryUserId: caller.userId, rawFileCount: rawFiles.length });
    const targetCharId = input.targetCharId?.toUpperCase() || null;
    const document = { id, ...details, rawFiles, status: 'draft', targetCharId } as const;
    return insert(ctx, caller, agreement, document, (tx, created) => remember(tx, created));
  });
}

/** The history's first line. */
export const createdDetail = (files: number): string =>
  `Created with ${files === 1 ? '1 file' : `${files} files`}; creator verified by face, eye and signature`;

/** Stores the files, runs `work`, and takes everything back when that fails. */
async function withFiles<T>(
  ctx: Context,
  id: string,
  inspected: Awaited<ReturnType<typeof inspectRawFiles>>,
  discardToo: (() => Promise<void>) | undefined,
  work: (files: NewDocument['rawFiles']) => Promise<T>,
): Promise<T> {
  let taken;
  try {
    taken = await storeRawFiles(ctx, id, inspected);
    return await work(taken.files);
  } catch (error) {
    await Promise.all([discardToo?.(), taken?.discard()]);
    throw error;
  }
}

async function insert(
  ctx: Context,
  caller: Caller,
  agreement: Agreement,
  document: Omit<NewDocument, 'documentCode' | 'primaryUser' | 'dailyRatePaise'>,
  also: (tx: Tx<Database>, created: Created, digest: string) => Promise<void>,
): Promise<Created> {
  const documentCode = await unusedCode(ctx);
  const created = { document_id: agreement.id, document_code: documentCode };
  const digest = filesDigest(document.rawFiles.map((file, ordinal) => ({ ...file, ordinal })));
  await inTransaction(ctx.db, async (tx) => {
    const dailyRatePaise = await currentRatePaise(tx);
    await insertDocument(tx, { ...document, documentCode, primaryUser: caller.userId, dailyRatePaise });
    await saveAgreement(tx, undefined, agreement, 1, digest);
    await also(tx, created, digest);
  });
  ctx.outbox.poke();
  ctx.previews.poke();
  return created;
}

async function unusedCode(ctx: Context): Promise<string> {
  let code = randomCode8();
  while (await codeExists(ctx.db, code)) code = randomCode8();
  return code;
}
