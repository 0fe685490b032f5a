/** What people do while the installation changes under them: each call once, anything but its proper answer has failed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Calls } from '@karaar/testing/people/calls';
import type { Person } from '../../src/person.ts';
import type { Installation } from '../installation.ts';

/** Milliseconds from one call to the next, whenever answers come. */
const PACE_MS = 100;
/** Long before and after what is tried, so that a late fault is seen. */
const MARGIN_MS = 3_000;
const FAULTS_KEPT = 10;
/** The first so many of the calls only read. */
const READS = 7;

/**
 * Does something while a person's calls arrive at a steady pace through the front.
 *
 * @param what every kind of call, or only those that read
 * @returns what became of the calls, in words. @throws Error when a call failed
 */
export async function underLoad(
  { url, connecting }: Pick<Installation, 'url' | 'connecting'>,
  person: Person,
  what: 'everything' | 'reading',
  work: () => Promise<unknown>,
): Promise<string> {
  const calls = await Calls.begin(
    url,
    { headers: { authorization: `Bearer ${person.token}` } },
    connecting(),
  );
  const open = new Set<Promise<void>>();
  const faults: string[] = [];
  let [count, slowestMs] = [0, 0];
  const began = performance.now();
  const arrive = (): void => {
    const begun = performance.now();
    const call: Promise<void> = calls
      .nth(what === 'reading' ? count % READS : count)
      .catch((error: unknown) => {
        faults.push(`${((begun - began) / 1000).toFixed(1)} s: ${String(error)}`);
      })
      .finally(() => {
        slowestMs = Math.max(slowestMs, performance.now() - begun);
        open.delete(call);
      });
    open.add(call);
    count += 1;
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
  if (faults.length === 0) return `0 of ${count} calls failed, the slowest took ${slowestMs.toFixed(0)} ms`;
  const kept = faults.slice(0, FAULTS_KEPT).join(' | ');
  throw new Error(`${faults.length} of ${count} calls failed, such as ${kept}`);
}
