import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpooledFile } from '@karaar/http';
import type { Context } from '../../context.ts';
import { startFinalization } from '../agreements/rules/agreement.ts';
import { attachedTooLate, documentClosed, notFinalized } from '../agreements/rules/agreement.errors.ts';
import { requireKept } from '../uploads/file-rules.ts';
import { agreementOf, getDocument, getInvolvedDocument } from '../agreements/agreements.service.ts';
import { changeAgreement } from '../agreements/transition.ts';
import { takeBackFiles } from '../stored-files/stored-files.repository.ts';
import {
  attachedHashes,
  isLogged,
  queueJob,
  replaceAttachments,
  type NewAttachment,
} from './finalization.repository.ts';
import { currentLaw } from './law.ts';

/** "200 with the document when done within 10 s, else 202" (design §3 Finalize). */
const ANSWER_WITHIN_MS = 10_000;
const LOGGED_WITHIN_MS = 2_000;
const LOG_POLL_MS = 20;

/**
 * Starts the job, or waits for the running one. Returns true if the document is finalized within ten seconds.
 * Attachments replace those of a failed attempt. Throws 403 unless the primary user asks; 409 unless
 * approved, or if a job runs that began without these files; 413 and 422 for files that are not accepted.
 */
export async function finalizeDocument(
  ctx: Context,
  actorId: string,
  id: string,
  attached: readonly SpooledFile[],
): Promise<boolean> {
  const { record } = await getDocument(ctx, actorId, id);
  if (record.document.finalizing && record.document.primary_user === actorId) {
    await requireAttached(ctx, id, attached);
    return endedWithin(ctx, id, ANSWER_WITHIN_MS);
  }
  if (record.document.status === 'finalized' && record.document.primary_user === actorId)
    throw documentClosed();
  // Checked first, so that a refused caller stores nothing.
  startFinalization(agreementOf(record), actorId);
  requireKept(ctx.config, attached);
  const law = await currentLaw(ctx);
  const attachments = await storeAttachments(ctx, id, attached);
  let replaced: readonly string[];
  try {
    replaced = await changeAgreement(ctx, id, { actorId }, async (change) => {
      const next = await change.decide((agreement) => startFinalization(agreement, actorId));
      await queueJob(change.tx, id, { by: actorId, law });
      const paths = await replaceAttachments(change.tx, id, attachments);
      await change.save(next, { type: 'finalization.started', detail: startedDetail(attached) });
      return paths;
    });
  } catch (error) {
    await dropBlobs(ctx, attachments, error);
    throw error;
  }
  ctx.finalization.wake();
  await Promise.all(replaced.map((path) => ctx.blobs.delete(path)));
  return endedWithin(ctx, id, ANSWER_WITHIN_MS);
}

/** Returns the sealed PDF. Throws 403 for users who are not involved, 409 before finalization. */
export async function openFinalPdf(ctx: Context, viewerId: string, id: string) {
  const { document } = await getInvolvedDocument(ctx, viewerId, id);
  if (!document.final_path) throw notFinalized();
  const blob = await ctx.blobs.open(document.final_path);
  return { ...blob, filename: `${document.document_code}.pdf` };
}

async function endedWithin(ctx: Context, id: string, ms: number): Promise<boolean> {
  const until = Date.now() + ms;
  for (;;) {
    const state = await ctx.finalization.look(id);
    if (state === 'done') {
      await loggedWithin(ctx, id, Math.min(LOGGED_WITHIN_MS, until - Date.now()));
      return true;
    }
    if (state === 'failed' || Date.now() > until) return false;
  }
}

/** Waits briefly, so that the answer usually has `blockchain: true`, but not for a slow log. */
async function loggedWithin(ctx: Context, id: string, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until && !(await isLogged(ctx.db, id))) await sleep(LOG_POLL_MS);
}

/** A request repeated after a lost answer has the same files. Others are refused, not dropped silently. */
async function requireAttached(ctx: Context, id: string, attached: readonly SpooledFile[]): Promise<void> {
  if (attached.length === 0) return;
  const kept = await attachedHashes(ctx.db, id);
  if (attached.some(({ sha256 }) => !kept.includes(sha256))) throw attachedTooLate();
}

const startedDetail = (attached: readonly SpooledFile[]): string =>
  attached.length === 0
    ? 'Started finalization'
    : `Started finalization; attached ${attached.map(({ filename }) => filename).join(', ')}`;

async function storeAttachments(
  ctx: Context,
  id: string,
  files: readonly SpooledFile[],
): Promise<NewAttachment[]> {
  const stored: NewAttachment[] = [];
  try {
    for (const { path: spooled, filename, mime, size, sha256 } of files) {
      const { path } = await ctx.blobs.put(id, createReadStream(spooled), { mime });
      stored.push({ name: filename, mime, size, sha256, path });
    }
  } catch (error) {
    await dropBlobs(ctx, stored, error);
    throw error;
  }
  return stored;
}

const dropBlobs = (ctx: Context, files: readonly NewAttachment[], error: unknown): Promise<void> =>
  takeBackFiles(
    ctx,
    error,
    files.map(({ path }) => path),
  );
