/** Asks the pool for a verdict on a photo and says clearly when there is none. Keeps and logs no image. */
import type { Context } from '../../context.ts';
import { JudgeFailed, PoolClosed, PoolFull } from '../../inference/pool.ts';
import { verdicts } from '../../metrics.ts';
import { busy, notJudged } from './validation.errors.ts';
import type { DetectType, Verdict } from './verdict.ts';

/**
 * @param signal gives the photo's place in the queue away when the caller is gone
 * @throws AppError 503 with `Retry-After` when the queue is full or the photo's worker failed
 */
export async function validatePhoto(
  { pool }: Pick<Context, 'pool'>,
  {
    file,
    signal,
    ...asked
  }: { file: Uint8Array<ArrayBuffer>; detectType: DetectType; likeness: boolean; signal: AbortSignal },
): Promise<Verdict> {
  try {
    const verdict = await pool.judge(file, asked, signal);
    verdicts.inc({ detect_type: asked.detectType, reason: verdict.reason ?? 'ok' });
    return verdict;
  } catch (error) {
    if (error instanceof PoolFull || error instanceof PoolClosed) throw busy();
    if (error instanceof JudgeFailed) throw notJudged(error);
    throw error;
  }
}

/** Refuses before the photo's bytes are read when it would be refused after. @throws AppError 503 */
export function refuseWhenFull({ pool }: Pick<Context, 'pool'>): void {
  if (pool.isFull) throw busy();
}
