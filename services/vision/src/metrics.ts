import { counter, gauge, histogram, setOnScrape } from '@karaar/observability/telemetry';
import type { DetectType, Verdict } from './rules/verdict.ts';
import type { JudgePool, Judged } from './inference/pool.ts';

const verdicts = counter({
  name: 'vision_verdicts_total',
  help: 'Photos judged, by what they were asked for and the reason of the verdict (ok: accepted)',
  labelNames: ['detect_type', 'reason'],
});

export const workersLost = counter({
  name: 'vision_workers_lost_total',
  help: 'Worker threads that crashed or took too long and were replaced',
});

const runs = counter({
  name: 'vision_model_runs_total',
  help: 'Runs of each model',
  labelNames: ['model'],
});

const seconds = counter({
  name: 'vision_model_seconds_total',
  help: 'Seconds that each model ran',
  labelNames: ['model'],
});

const STEPS = [0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.5, 1, 3];

const checked = histogram({
  name: 'vision_check_seconds',
  help: 'Seconds that a worker had a photo',
  labelNames: ['detect_type'],
  buckets: STEPS,
});

const waited = histogram({
  name: 'vision_wait_seconds',
  help: 'Seconds that a photo waited for a worker',
  buckets: STEPS,
});

const waiting = gauge({ name: 'vision_queue_waiting', help: 'Photos that wait for a worker' });
const busy = gauge({ name: 'vision_workers_busy', help: 'Workers that have a photo' });
const ready = gauge({ name: 'vision_workers_ready', help: 'Workers that have their models loaded' });

export const reasonOf = ({ reason }: Verdict): string => reason ?? 'ok';

export function countCheck(detectType: DetectType, { verdict, work, waitedMs, tookMs }: Judged): void {
  verdicts.inc({ detect_type: detectType, reason: reasonOf(verdict) });
  checked.observe({ detect_type: detectType }, tookMs / 1_000);
  waited.observe(waitedMs / 1_000);
  for (const [model, one] of Object.entries(work)) {
    runs.inc({ model }, one.runs);
    seconds.inc({ model }, one.seconds);
  }
}

export function showPool(pool: Pick<JudgePool, 'waiting' | 'busy' | 'workers'>): void {
  setOnScrape(waiting, () => waiting.set(pool.waiting));
  setOnScrape(busy, () => busy.set(pool.busy));
  setOnScrape(ready, () => ready.set(pool.workers));
}
