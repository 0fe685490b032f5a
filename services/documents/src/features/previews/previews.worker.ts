/** Makes the pages of old files, from before pages were made on upload, one file at a time. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startWorker, type Worker } from '@karaar/platform/worker';
import { RenderError } from '@karaar/rendering';
import type { Context } from '../../context.ts';
import { storePages } from '../uploads/pages.ts';
import { claimPreview, givePreviewUp, storePreview, type PreviewJob } from './previews.repository.ts';

/** Longer than the slowest conversion. */
const LEASE_MS = 120_000;
const IDLE_MS = 5_000;
const MAX_ATTEMPTS = 3;

/** Starts the loop; `poke` wakes it up, `stop` interrupts what it does, which another worker begins anew. */
export function startPreviewsWorker(ctx: Context): Worker {
  return startWorker({
    restMs: IDLE_MS,
    turn: async (signal) => {
      const job = await claimPreview(ctx.db, LEASE_MS);
      if (job) await preview(ctx, job, signal);
      return job !== undefined;
    },
    onError: (err) => ctx.logger.warn({ err }, 'previews cannot be read'),
  });
}

async function preview(ctx: Context, job: PreviewJob, signal: AbortSignal): Promise<void> {
  await mkdir(ctx.config.WORK_DIR, { recursive: true });
  const folder = await mkdtemp(join(ctx.config.WORK_DIR, 'preview-'));
  const gone: (string | null)[] = [];
  try {
    const path = join(folder, 'file');
    const { stream } = await ctx.blobs.open(job.path);
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    const { name, kind } = job;
    const pages = await storePages(ctx, job.document_id, { name, kind, path }, { signal });
    const isKept = await storePreview(ctx.db, job, pages);
    const { preview_path, thumb_path, text_path } = isKept ? job : pages;
    gone.push(preview_path, thumb_path, text_path);
  } catch (error) {
    if (!signal.aborted) await recordFailure(ctx, job, error);
  } finally {
    await Promise.all(gone.map((path) => path && ctx.blobs.delete(path)));
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
