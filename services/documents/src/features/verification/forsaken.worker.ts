/** Erases images that nobody needs any more: of parties who were removed, or who have verified anew. */
import { startWorker, type Worker } from '@karaar/platform/worker';
import type { Context } from '../../context.ts';
import { claimForsaken, forgetForsaken } from './forsaken.repository.ts';

const AT_ONCE = 20;
const LEASE_MS = 60_000;
const IDLE_MS = 2_000;

/** Starts the loop; `stop` ends it after what is under way. */
export function startForsakenWorker(ctx: Pick<Context, 'db' | 'blobs' | 'logger'>): Worker {
  return startWorker({
    restMs: IDLE_MS,
    turn: async () => (await eraseForsaken(ctx)) >= AT_ONCE,
    onError: (err) => ctx.logger.warn({ err }, 'images to be erased cannot be read'),
  });
}

/** Erases some; answers how many were taken. Erasing twice is erasing once. */
async function eraseForsaken(ctx: Pick<Context, 'db' | 'blobs' | 'logger'>): Promise<number> {
  const due = await claimForsaken(ctx.db, AT_ONCE, LEASE_MS);
  for (const { path, attempts } of due) {
    try {
      await ctx.blobs.delete(path);
      await forgetForsaken(ctx.db, path);
    } catch (error) {
      ctx.logger.error({ err: error, attempts }, 'an image that nobody needs is not erased yet');
    }
  }
  return due.length;
}
