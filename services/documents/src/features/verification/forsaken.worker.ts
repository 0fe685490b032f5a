/** Erases images that nobody needs any more: of parties who were removed, or who have verified anew. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { claimForsaken, forgetForsaken } from './forsaken.repository.ts';

const AT_ONCE = 20;
const LEASE_MS = 60_000;
const IDLE_MS = 2_000;

/** Starts the loop; `stop` ends it after what is under way. */
export function startForsakenWorker(ctx: Pick<Context, 'db' | 'blobs' | 'logger'>): {
  stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const erased = await eraseForsaken(ctx).catch((error: unknown) => {
        ctx.logger.warn({ err: error }, 'images to be erased cannot be read');
        return 0;
      });
      if (erased < AT_ONCE)
        await sleep(IDLE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
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
