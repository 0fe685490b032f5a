/** Edits, deletes and submits drafts, which only their owner can see. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Caller } from '../../../caller.ts';
import type { Context } from '../../../context.ts';
import { requireCompleteProfile } from '../../directory/directory.service.ts';
import type { Remember } from '../../idempotency/idempotency.service.ts';
import { currentRatePaise } from '../../pricing/pricing.repository.ts';
import { captureSubject } from '../../identity-verification/live-captures.service.ts';
import {
  takeVerification,
  type VerificationImages,
} from '../../identity-verification/verification.service.ts';
import { requireDraftOf, submit } from '../rules/agreement.ts';
import type { DocumentRecord } from '../agreement-records.repository.ts';
import {
  acceptFiles,
  contentVersionOf,
  deleteDraftDocument,
  deleteRawFiles,
  fixDailyRate,
  insertRawFiles,
  rawFilesOf,
  updateDraftDetails,
  type RawFileRow,
} from '../agreements.repository.ts';
import { agreementOf, getDocument } from '../agreements.service.ts';
import { createdDetail, type Created } from './create.service.ts';
import { parseAccepted, requireAccepted, type AcceptedFields } from '../files/accepted.ts';
import { parseNewDocument, typedCode, type NewDocumentFields } from './new-document.ts';
import { useUploads } from '../../uploads/uploads.service.ts';
import { forgetUploads, takeRawFiles, type SentFiles } from '../files/raw-files.service.ts';
import { changeAgreement } from '../transition.ts';
import { AppError } from '@karaar/base/errors';
import { fieldFault } from '../../../errors.ts';

const FileIds = Type.Array(Type.String(), { maxItems: 100 });

const draftChanged = () =>
  new AppError(
    412,
    'draft_changed',
    'This draft was changed in another window or on another device. Load it again, please.',
  );

/**
 * Updates a draft. Throws 404 for another user's draft, 409 once submitted, 412 if `isCurrent` returns false, 422
 * with the invalid field.
 * @param input.isCurrent returns true if the stored content version is the one that the user saw
 */
export async function updateDraft(
  ctx: Context,
  caller: Caller,
  id: string,
  input: SentFiles & {
    fields: NewDocumentFields;
    targetCharId: string | undefined;
    keepFiles: string | undefined;
    accepted: AcceptedFields;
    isCurrent: (contentVersion: number) => boolean;
  },
  remember: Remember<{ document_id: string }>,
): Promise<{ document_id: string }> {
  const record = await requireDraft(ctx, caller, id);
  const details = parseNewDocument(input.fields);
  const keep = parseKeepFiles(input.keepFiles);
  const accepted = parseAccepted(input.accepted);
  const kept = record.rawFiles.filter((file) => !keep || keep.includes(file.id));
  const keptBytes = kept.reduce((sum, file) => sum + file.size, 0);
  const ids = { userId: caller.userId, documentId: id };
  const taken = await takeRawFiles(ctx, ids, input, { files: kept.length, bytes: keptBytes });
  const actor = { actorId: caller.userId, caller };
  const updated = { document_id: id };
  let removed: RawFileRow[];
  try {
    removed = await changeAgreement(ctx, id, actor, async ({ tx, before }) => {
      requireDraftOf(before, caller.userId);
      if (!input.isCurrent((await contentVersionOf(tx, id)) ?? 0)) throw draftChanged();
      // Before the insert of rows that name the files: of two concurrent uses, the second is refused here.
      await useUploads(tx, caller.userId, taken.uploads);
      const files = await rawFilesOf(tx, id);
      const dropped = files.filter((file) => keep && !keep.includes(file.id));
      const droppedIds = dropped.map((file) => file.id);
      await deleteRawFiles(tx, id, droppedIds);
      const next = Math.max(-1, ...files.map((file) => file.ordinal)) + 1;
      await insertRawFiles(tx, id, taken.files, next);
      await acceptFiles(tx, id, accepted);
      await updateDraftDetails(tx, id, { ...details, targetCharId: typedCode(input.targetCharId) });
      await remember(tx, updated);
      return dropped;
    });
  } catch (error) {
    await taken.discard(error);
    throw error;
  }
  await forgetUploads(ctx, taken.uploads);
  const paths = removed.flatMap((file) => [file.path, file.thumb_path, file.preview_path, file.text_path]);
  await Promise.all(paths.map((path) => ctx.blobs.delete(path)));
  return updated;
}

/** Deletes a draft and makes its files unreadable. */
export async function deleteDraft(ctx: Context, caller: Caller, id: string): Promise<void> {
  await requireDraft(ctx, caller, id);
  await changeAgreement(ctx, id, { actorId: caller.userId, caller }, async ({ tx, before }) => {
    requireDraftOf(before, caller.userId);
    await deleteDraftDocument(tx, id);
  });
  await ctx.blobs.eraseOwner(id);
}

/**
 * Submits a draft (`draft → pending`) at today's daily rate; the images verify the creator. Throws 422 for
 * pictures or omitted parts that were accepted neither here nor in the draft.
 */
export async function submitDraft(
  ctx: Context,
  caller: Caller,
  id: string,
  { images, accepted: acceptedFields }: { images: VerificationImages; accepted: AcceptedFields },
  remember: Remember<Created>,
): Promise<Created> {
  const record = await requireDraft(ctx, caller, id);
  await requireCompleteProfile(ctx, caller.userId);
  submit(agreementOf(record), caller.userId);
  const accepted = parseAccepted(acceptedFields);
  requireAccepted(record.rawFiles, accepted);
  const created = { document_id: id, document_code: record.document.document_code };
  const verification = await takeVerification(ctx, caller.userId, images, captureSubject.document(id));
  try {
    await changeAgreement(ctx, id, { actorId: caller.userId, caller }, async (change) => {
      const { tx } = change;
      const pending = await change.decide((agreement) => submit(agreement, caller.userId));
      requireAccepted(await rawFilesOf(tx, id), accepted);
      await acceptFiles(tx, id, accepted);
      await fixDailyRate(tx, id, await currentRatePaise(tx));
      const photos = await verification.save(tx, id);
      await remember(tx, created);
      await change.save(pending, {
        type: 'document.created',
        detail: createdDetail(record.rawFiles),
        photos,
      });
    });
  } catch (error) {
    await verification.discard(error);
    throw error;
  }
  return created;
}

async function requireDraft(ctx: Context, caller: Caller, id: string): Promise<DocumentRecord> {
  const { record } = await getDocument(ctx, caller.userId, id);
  requireDraftOf(agreementOf(record), caller.userId);
  return record;
}

function parseKeepFiles(json: string | undefined): string[] | undefined {
  if (json === undefined || json === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (!Value.Check(FileIds, value)) throw fieldFault('keep_files', 'must be a JSON list of file ids');
  return value;
}
