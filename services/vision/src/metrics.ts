/** What the service counts: verdicts by reason, runs by model, photos that wait. */
import { counter, gauge } from '@karaar/platform/telemetry';
import type { Work } from './inference/sessions.ts';

export const verdicts = counter({
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

const waiting = gauge({ name: 'vision_queue_waiting', help: 'Photos that wait for a worker' });

/** Adds what one verdict took. */
export function countWork(work: Work): void {
  for (const [model, one] of Object.entries(work)) {
    runs.inc({ model }, one.runs);
    seconds.inc({ model }, one.seconds);
  }
}

/** Reads the queue's length whenever the metrics are asked for. */
export function showQueue(length: () => number): void {
  Object.assign(waiting, { collect: () => waiting.set(length()) });
}
