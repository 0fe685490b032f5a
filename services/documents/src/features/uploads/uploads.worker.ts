/** Checks files that were sent before their form, senders taking turns, and erases abandoned files. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startWorker, type Worker } from '@karaar/platform/worker';
import { RenderError } from '@karaar/rendering';
import type { Context } from '../../context.ts';
import { takeBackFiles } from '../stored-files/stored-files.repository.ts';
import { storePages } from './pages.ts';
import { refusalOf } from './refusals.ts';
import {
  claimUpload,
  deleteExpired,
  setAside,
  storeReady,
  storeRefused,
  reportPages,
  type UploadRow,
} from './uploads.repository.ts';

/** Longer than the slowest step between two progress reports. */
const LEASE_MS = 120_000;
/** The first time slot of each file: a page takes about a third of a second. */
const QUICK_MS = 60_000;
/** The time slot of a file that takes longer; its sender sees the progress. */
const LONG_MS = 900_000;
const IDLE_MS = 2_000;
const MAX_ATTEMPTS = 3;

/**
 * Starts two loops; `poke` wakes them up, `stop` interrupts what they do, which another worker begins anew. Senders
 * take turns, and no file holds up the others: each has a minute at first, and a file that needs more gives its place
 * back and continues in the second loop only, one such file at a time. So a single file waits at most a minute for
 * each sender before it.
 */
export function startUploadsWorker(ctx: Context): Worker {
  const loop = (which: 'quick' | 'any'): Worker =>
    startWorker({
      restMs: IDLE_MS,
      turn: async (signal) => {
        const upload = await claimUpload(ctx.db, { leaseMs: LEASE_MS, which });
        if (upload) await check(ctx, upload, signal);
        else await Promise.all((await deleteExpired(ctx.db)).map((id) => ctx.blobs.eraseOwner(id)));
        return upload !== undefined;
      },
      onError: (err) => ctx.logger.warn({ err }, 'uploads cannot be worked on'),
    });
  const loops = [loop('quick'), loop('any')];
  return {
    poke: () => loops.forEach((one) => one.poke()),
    stop: async () => {
      await Promise.all(loops.map((one) => one.stop()));
    },
  };
}

async function check(ctx: Context, upload: UploadRow, signal: AbortSignal): Promise<void> {
  await mkdir(ctx.config.WORK_DIR, { recursive: true });
  const folder = await mkdtemp(join(ctx.config.WORK_DIR, 'upload-'));
  try {
    const path = join(folder, 'file');
    await pipeline((await ctx.blobs.open(upload.path)).stream, createWriteStream(path, { mode: 0o600 }));
    const { id, name, kind } = upload;
    const onPages = (done: number, total: number): void => {
      reportPages(ctx.db, id, { done, total, leaseMs: LEASE_MS }).catch((error: unknown) =>
        ctx.logger.warn({ err: error, uploadId: id }, 'progress of an upload was not kept'),
      );
    };
    const maxMs = upload.takes_long ? LONG_MS : QUICK_MS;
    const pages = await storePages(ctx, id, { name, kind, path }, { signal, onPages, maxMs });
    let error: unknown;
    const isWanted = await storeReady(ctx.db, id, pages).catch((err: unknown) => {
      error = err;
      return false;
    });
    if (isWanted) return;
    // Deleted meanwhile: none of its data may stay. Checked by another worker meanwhile: only these pages go.
    const { preview_path, thumb_path, text_path } = pages;
    await takeBackFiles(ctx, error, [upload.path, preview_path, thumb_path, text_path], id);
    if (error !== undefined) throw error;
  } catch (error) {
    if (!signal.aborted) await recordFailure(ctx, upload, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * An error of the file is reported to its sender; a file that takes long is set aside; all else is tried again when
 * the lease ends.
 */
async function recordFailure(ctx: Context, upload: UploadRow, error: unknown): Promise<void> {
  const refusal = refusalOf(error);
  if (refusal) return storeRefused(ctx.db, upload.id, { fault: refusal.why, reason: refusal.reason });
  if (!upload.takes_long && error instanceof RenderError && error.code === 'timeout') {
    await setAside(ctx.db, upload.id);
    return ctx.uploads.poke();
  }
  ctx.logger.warn({ err: error, uploadId: upload.id, attempt: upload.attempts }, 'an upload was not checked');
  if (upload.attempts < MAX_ATTEMPTS) return;
  const advice = (upload.pages ?? 0) > 1 ? 'split it, or print it to PDF,' : 'print it to PDF';
  const reason = `"${upload.name}" could not be checked. Please ${advice} and upload that.`;
  await storeRefused(ctx.db, upload.id, { fault: 'broken', reason });
}
