import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { claimOrphanedImages, forgetOrphanedImage } from './orphaned-images.repository.ts';

const AT_ONCE = 20;
const LEASE_MS = 60_000;
const IDLE_MS = 2_000;

export function startOrphanedImagesWorker(ctx: Pick<Context, 'db' | 'blobs' | 'logger'>): Worker {
  return startWorker({
    restMs: IDLE_MS,
    turn: async () => (await eraseOrphanedImages(ctx)) >= AT_ONCE,
    onError: (err) => ctx.logger.warn({ err }, 'images to be erased cannot be read'),
  });
}

async function eraseOrphanedImages(ctx: Pick<Context, 'db' | 'blobs' | 'logger'>): Promise<number> {
  const due = await claimOrphanedImages(ctx.db, AT_ONCE, LEASE_MS);
  for (const { path, attempts } of due) {
    try {
      await ctx.blobs.delete(path);
      await forgetOrphanedImage(ctx.db, path);
    } catch (error) {
      ctx.logger.error({ err: error, attempts }, 'an image that nobody needs is not erased yet');
    }
  }
  return due.length;
}
