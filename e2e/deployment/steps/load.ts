/** What people do while the installation changes under them: each call once, anything but its proper answer has failed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Calls } from '@karaar/bench/restart/calls.ts';
import type { Person } from '@karaar/e2e/src/person.ts';
import type { Installation } from '../installation.ts';

/** Milliseconds from one call to the next, whenever answers come. */
const PACE_MS = 100;
/** Long before and after what is tried, so that a late fault is seen. */
const MARGIN_MS = 3_000;
const FAULTS_KEPT = 10;

const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`;

export type Load = { calls: number; failed: number; slowestMs: number; faults: string[] };

/** The first so many of the calls only read. */
const READS = 7;

/**
 * Does something while a person's calls arrive at a steady pace through the front.
 *
 * @param what every kind of call, or only those that read
 * @returns what became of the calls
 */
export async function underLoad(
  { url, connecting }: Pick<Installation, 'url' | 'connecting'>,
  person: Person,
  what: 'everything' | 'reading',
  work: () => Promise<void>,
): Promise<Load> {
  const headers = { authorization: `Bearer ${person.token}` };
  const calls = await Calls.begin(url, { headers }, connecting());
  const load: Load = { calls: 0, failed: 0, slowestMs: 0, faults: [] };
  const open = new Set<Promise<void>>();
  const began = performance.now();
  const arrive = (): void => {
    const begun = performance.now();
    const call: Promise<void> = calls
      .nth(what === 'reading' ? load.calls % READS : load.calls)
      .catch((error: unknown) => {
        load.failed += 1;
        if (load.faults.length < FAULTS_KEPT) load.faults.push(`${seconds(began, begun)}: ${String(error)}`);
      })
      .finally(() => {
        load.slowestMs = Math.max(load.slowestMs, performance.now() - begun);
        open.delete(call);
      });
    open.add(call);
    load.calls += 1;
  };
  const pace = setInterval(arrive, PACE_MS);
  try {
    await sleep(MARGIN_MS);
    await work();
    await sleep(MARGIN_MS);
  } finally {
    clearInterval(pace);
    await Promise.all(open);
    await calls.close();
  }
  return load;
}

/** In words. @throws Error when a call failed */
export function withoutFailure({ calls, failed, slowestMs, faults }: Load): string {
  if (failed > 0) throw new Error(`${failed} of ${calls} calls failed, such as ${faults.join(' | ')}`);
  return `0 of ${calls} calls failed, the slowest took ${slowestMs.toFixed(0)} ms`;
}
