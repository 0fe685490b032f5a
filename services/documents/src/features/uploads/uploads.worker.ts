import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startWorker, type Worker } from '@karaar/base/worker';
import { RenderError } from '@karaar/rendering';
import type { Context } from '../../context.ts';
import { takeBackFiles } from '../stored-files/stored-files.repository.ts';
import { storePages } from './pages.ts';
import { refusalOf } from './refusals.ts';
import {
  claimUpload,
  deleteExpired,
  extendLease,
  LEASE_MS,
  markLong,
  retryLater,
  setAside,
  storeReady,
  storeRefused,
  reportPages,
  type UploadRow,
} from './uploads.repository.ts';

/** The time limit of an upload that exceeds its first slot; its sender sees the progress. */
const LONG_MS = 900_000;
const IDLE_MS = 2_000;
/** Milliseconds before the second, third and fourth attempt: the converter may be away for some minutes. */
const RETRY_MS = [5_000, 30_000, 240_000];

/** The place for the one upload that may exceed its first slot. */
interface LongPlace {
  isTaken: boolean;
}

/**
 * Starts two loops that check uploads; `stop` interrupts them, and another worker starts the check again.
 * Senders take turns, and each upload first has a time slot. An upload that needs more continues, one at a
 * time; any other goes back and waits for that one. So an upload waits at most one slot for each sender
 * before it.
 */
export function startUploadsWorker(ctx: Context): Worker {
  const long: LongPlace = { isTaken: false };
  const loop = (): Worker =>
    startWorker({
      restMs: IDLE_MS,
      turn: async (signal) => {
        const upload = await claim(ctx, long);
        if (upload) await inSlot(ctx, upload, long, signal);
        else await Promise.all((await deleteExpired(ctx.db)).map((id) => ctx.blobs.eraseOwner(id)));
        return upload !== undefined;
      },
      onError: (err) => ctx.logger.warn({ err }, 'uploads cannot be worked on'),
    });
  const loops = [loop(), loop()];
  return {
    wake: () => loops.forEach((one) => one.wake()),
    stop: async () => {
      await Promise.all(loops.map((one) => one.stop()));
    },
  };
}

/** Takes the next upload. A long one is taken only if the place for it is free, and then occupies it. */
async function claim(ctx: Context, long: LongPlace): Promise<UploadRow | undefined> {
  const isMine = !long.isTaken;
  long.isTaken = true;
  let upload: UploadRow | undefined;
  try {
    upload = await claimUpload(ctx.db, isMine ? 'any' : 'quick');
    return upload;
  } finally {
    if (isMine && upload?.takes_long !== true) long.isTaken = false;
  }
}

/** Checks an upload. After its slot it continues if the place for long uploads is free, or is stopped. */
async function inSlot(ctx: Context, upload: UploadRow, long: LongPlace, stopped: AbortSignal): Promise<void> {
  const over = new AbortController();
  let isLong = upload.takes_long;
  let marked: Promise<void> | undefined;
  const onOver = (): void => {
    if (long.isTaken) return over.abort(new RenderError('timeout', 'Another long upload is being checked.'));
    isLong = long.isTaken = true;
    marked = markLong(ctx.db, upload.id).catch((err: unknown) =>
      ctx.logger.warn({ err, uploadId: upload.id }, 'a file that takes long was not marked'),
    );
  };
  const timer = isLong ? undefined : setTimeout(onOver, ctx.config.UPLOAD_SLOT_MS);
  const heartbeat = setInterval(() => {
    extendLease(ctx.db, upload.id).catch((err: unknown) =>
      ctx.logger.warn({ err, uploadId: upload.id }, 'the lease of an upload was not extended'),
    );
  }, LEASE_MS / 3);
  try {
    await check(ctx, upload, { stopped, over: over.signal });
  } finally {
    clearTimeout(timer);
    clearInterval(heartbeat);
    await marked;
    if (isLong) long.isTaken = false;
  }
}

async function check(
  ctx: Context,
  upload: UploadRow,
  { stopped, over }: { stopped: AbortSignal; over: AbortSignal },
): Promise<void> {
  const signal = AbortSignal.any([stopped, over]);
  await mkdir(ctx.config.WORK_DIR, { recursive: true });
  const folder = await mkdtemp(join(ctx.config.WORK_DIR, 'upload-'));
  try {
    const path = join(folder, 'file');
    await pipeline((await ctx.blobs.open(upload.path)).stream, createWriteStream(path, { mode: 0o600 }));
    const { id, name, kind } = upload;
    const onPages = (done: number, total: number): void => {
      reportPages(ctx.db, id, { done, total }).catch((error: unknown) =>
        ctx.logger.warn({ err: error, uploadId: id }, 'progress of an upload was not kept'),
      );
    };
    const pages = await storePages(ctx, id, { name, kind, path }, { signal, onPages, maxMs: LONG_MS });
    let error: unknown;
    const isWanted = await storeReady(ctx.db, id, pages).catch((err: unknown) => {
      error = err;
      return false;
    });
    if (isWanted) return;
    // If the upload was deleted, all its data goes; if another worker has checked it, only these pages.
    const { preview_path, thumb_path, text_path } = pages;
    await takeBackFiles(ctx, error, [upload.path, preview_path, thumb_path, text_path], id);
    if (error !== undefined) throw error;
  } catch (error) {
    if (stopped.aborted) return;
    if (over.aborted) await putBack(ctx, upload);
    else await recordFailure(ctx, upload, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function putBack(ctx: Context, upload: UploadRow): Promise<void> {
  await setAside(ctx.db, upload.id);
  ctx.uploads.wake();
}

/** Reports an error of the file to its sender. After other errors the upload is checked again. */
async function recordFailure(ctx: Context, upload: UploadRow, error: unknown): Promise<void> {
  const refusal = refusalOf(error);
  if (refusal) return storeRefused(ctx.db, upload.id, { fault: refusal.why, reason: refusal.reason });
  const isTooLong = error instanceof RenderError && error.code === 'timeout';
  ctx.logger.warn({ err: error, uploadId: upload.id, attempt: upload.attempts }, 'an upload was not checked');
  const retryMs = RETRY_MS[upload.attempts - 1];
  if (retryMs !== undefined && !isTooLong) return retryLater(ctx.db, upload.id, retryMs);
  const advice = (upload.pages ?? 0) > 1 ? 'split it, or print it to PDF,' : 'print it to PDF';
  const reason = `"${upload.name}" could not be checked. Please ${advice} and upload that.`;
  await storeRefused(ctx.db, upload.id, { fault: 'broken', reason });
}
