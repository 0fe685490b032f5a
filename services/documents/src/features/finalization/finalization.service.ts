/** Starting finalization and handing out its result. */
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpooledFile } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { startFinalization } from '../agreements/agreement.ts';
import { documentClosed, notFinalized } from '../agreements/agreement.errors.ts';
import { getDocument, getInvolvedDocument } from '../agreements/agreements.service.ts';
import { applyTransition } from '../agreements/transition.ts';
import {
  findJob,
  insertAttachment,
  isLogged,
  queueJob,
  type NewAttachment,
} from './finalization.repository.ts';

/** "200 with the document when done within 10 s, else 202" (design §3 Finalize). */
const ANSWER_WITHIN_MS = 10_000;
const POLL_MS = 150;
const LOGGED_WITHIN_MS = 2_000;
const LOG_POLL_MS = 20;

/**
 * Starts the durable job, or joins one that runs. Resolves to true when the document is finalized within
 * ten seconds. Throws 403 unless the primary user asks, 409 unless approved.
 */
export async function finalizeDocument(
  ctx: Context,
  actorId: string,
  id: string,
  attached: SpooledFile | undefined,
): Promise<boolean> {
  const { record } = await getDocument(ctx, actorId, id);
  if (record.document.finalizing && record.document.primary_user === actorId) {
    return endedWithin(ctx, id, ANSWER_WITHIN_MS);
  }
  if (record.document.status === 'finalized' && record.document.primary_user === actorId)
    throw documentClosed();
  const attachment = attached && (await storeAttachment(ctx, id, attached));
  try {
    await applyTransition(ctx, id, {
      type: 'finalization.started',
      actorId,
      detail: attached ? `Started finalization; attached ${attached.filename}` : 'Started finalization',
      decide: (agreement) => startFinalization(agreement, actorId),
      also: async (tx) => {
        await queueJob(tx, id, actorId);
        if (attachment) await insertAttachment(tx, id, attachment);
      },
    });
  } catch (error) {
    if (attachment) await ctx.blobs.delete(attachment.path);
    throw error;
  }
  ctx.finalization.poke();
  return endedWithin(ctx, id, ANSWER_WITHIN_MS);
}

/** The sealed PDF. Throws 403 for others than involved users, 409 before finalization. */
export async function openFinalPdf(ctx: Context, viewerId: string, id: string) {
  const { document } = await getInvolvedDocument(ctx, viewerId, id);
  if (!document.final_path) throw notFinalized();
  const blob = await ctx.blobs.open(document.final_path);
  return { ...blob, filename: `${document.document_code}.pdf` };
}

async function endedWithin(ctx: Context, id: string, ms: number): Promise<boolean> {
  const until = Date.now() + ms;
  for (;;) {
    const job = await findJob(ctx.db, id);
    if (job?.state === 'done') {
      await loggedWithin(ctx, id, Math.min(LOGGED_WITHIN_MS, until - Date.now()));
      return true;
    }
    if (job?.state === 'failed' || Date.now() > until) return false;
    await sleep(POLL_MS);
  }
}

/** The answer says `blockchain: true` where the log is quick, as it is; it does not wait for one that is not. */
async function loggedWithin(ctx: Context, id: string, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until && !(await isLogged(ctx.db, id))) await sleep(LOG_POLL_MS);
}

async function storeAttachment(ctx: Context, id: string, file: SpooledFile): Promise<NewAttachment> {
  const { path } = await ctx.blobs.put(id, createReadStream(file.path), { mime: file.mime });
  return { name: file.filename, mime: file.mime, size: file.size, sha256: file.sha256, path };
}
