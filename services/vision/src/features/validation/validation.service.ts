/** Gets a verdict on a photo from the pool. Stores and logs no image. */
import { AppError } from '@karaar/base/errors';
import { inSpan } from '@karaar/observability/telemetry';
import type { Context } from '../../context.ts';
import { JudgeFailed, PoolClosed, PoolFull, type Judged } from '../../inference/pool.ts';
import { countCheck, reasonOf } from '../../metrics.ts';
import { busy, notJudged } from './validation.errors.ts';
import type { DetectType, Verdict } from '../../rules/verdict.ts';

interface Photo {
  file: Uint8Array<ArrayBuffer>;
  detectType: DetectType;
  likeness: boolean;
  /** Removes the photo from the queue when the caller disconnects. */
  signal: AbortSignal;
}

/**
 * Judges a photo in one span, which records the type of check, the reason of the verdict, the wait and the
 * model runs, but nothing about the picture.
 * @throws AppError 503 with `Retry-After` when the queue is full or the photo's worker failed
 */
export async function validatePhoto(ctx: Pick<Context, 'pool'>, photo: Photo): Promise<Verdict> {
  const { detectType } = photo;
  const attributes = { 'vision.detect_type': detectType };
  return inSpan('vision check', { attributes }, async (span) => {
    try {
      const judged = await judge(ctx, photo);
      countCheck(detectType, judged);
      span.setAttributes(described(judged));
      return judged.verdict;
    } catch (error) {
      if (error instanceof AppError) span.setAttribute('vision.reason', error.code);
      throw error;
    }
  });
}

async function judge({ pool }: Pick<Context, 'pool'>, { file, signal, ...options }: Photo): Promise<Judged> {
  try {
    return await pool.judge(file, options, signal);
  } catch (error) {
    if (error instanceof PoolFull || error instanceof PoolClosed) throw busy();
    if (error instanceof JudgeFailed) throw notJudged(error);
    throw error;
  }
}

function described({ verdict, work, waitedMs, tookMs }: Judged): Record<string, string | number> {
  const runs = Object.entries(work).map(([model, one]) => [`vision.runs.${model}`, one.runs] as const);
  return {
    'vision.reason': reasonOf(verdict),
    'vision.waited_ms': Math.round(waitedMs),
    'vision.took_ms': Math.round(tookMs),
    ...Object.fromEntries(runs),
  };
}

/**
 * Refuses before the photo's bytes are read if the queue is full.
 * @throws AppError 503
 */
export function refuseWhenFull({ pool }: Pick<Context, 'pool'>): void {
  if (pool.isFull) throw busy();
}
