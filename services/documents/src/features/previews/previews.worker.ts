/** Makes page counts and thumbnails in the background, one file at a time: nobody waits for them. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { RenderError } from '../../rendering/errors.ts';
import { startWorkerLoop, type WorkerLoop } from '../../worker-loop.ts';
import { claimPreview, givePreviewUp, storePreview, type PreviewJob } from './previews.repository.ts';

/** Longer than the slowest conversion. */
const LEASE_MS = 120_000;
const IDLE_MS = 5_000;
const MAX_ATTEMPTS = 3;

/** Starts the loop; `poke` wakes it up, `stop` interrupts what it does, which another worker begins anew. */
export function startPreviewsWorker(ctx: Context): WorkerLoop {
  return startWorkerLoop(IDLE_MS, async (signal) => {
    const job = await claimPreview(ctx.db, LEASE_MS).catch((error: unknown) => {
      ctx.logger.warn({ err: error }, 'previews cannot be read');
      return undefined;
    });
    if (job) await preview(ctx, job, signal);
    return job !== undefined;
  });
}

async function preview(ctx: Context, job: PreviewJob, signal: AbortSignal): Promise<void> {
  await mkdir(ctx.config.WORK_DIR, { recursive: true });
  const folder = await mkdtemp(join(ctx.config.WORK_DIR, 'preview-'));
  const stored: string[] = [];
  try {
    const path = join(folder, 'file');
    const { stream } = await ctx.blobs.open(job.path);
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    const { pages, thumbnail, pdf } = await ctx.renderer.preview({ ...job, path }, { signal });
    const put = async (bytes: Uint8Array, mime: string) => {
      const blob = await ctx.blobs.put(job.document_id, bytes, { mime });
      stored.push(blob.path);
      return blob.path;
    };
    const thumbPath = await put(thumbnail, 'image/jpeg');
    const previewPath = pdf ? await put(pdf, 'application/pdf') : null;
    if (await storePreview(ctx.db, job, { pages, thumbPath, previewPath })) stored.length = 0;
  } catch (error) {
    if (!signal.aborted) await recordFailure(ctx, job, error);
  } finally {
    await Promise.all(stored.map((path) => ctx.blobs.delete(path)));
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file that cannot be drawn is shown without a picture; anything else is tried again when the lease ends. */
async function recordFailure(ctx: Context, job: PreviewJob, error: unknown): Promise<void> {
  ctx.logger.warn({ err: error, fileId: job.id, attempt: job.preview_attempts }, 'no preview could be made');
  const final = error instanceof RenderError && !error.retryable;
  if (!final && job.preview_attempts < MAX_ATTEMPTS) return;
  await givePreviewUp(ctx.db, job).catch((failure: unknown) =>
    ctx.logger.warn({ err: failure, fileId: job.id }, 'a preview that failed was not recorded'),
  );
}
