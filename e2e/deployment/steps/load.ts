import { setTimeout as sleep } from 'node:timers/promises';
import { Calls } from '@karaar/testing/people/calls';
import type { Person } from '../../src/person.ts';
import type { Installation } from '../installation.ts';

/** Milliseconds between two calls, whether or not answers have come. */
const PACE_MS = 100;
/** Time before and after the work, in which late faults show. */
const MARGIN_MS = 3_000;
const FAULTS_KEPT = 10;
/** The first calls of `Calls`, which only read. */
const READS = 7;

/**
 * Does something while a user's calls arrive at a steady pace through the front.
 * @returns a summary of the calls @throws Error if a call failed
 */
export async function underLoad(
  { url, connecting }: Pick<Installation, 'url' | 'connecting'>,
  { token }: Person,
  kind: 'everything' | 'reading',
  work: () => Promise<unknown>,
): Promise<string> {
  const calls = await Calls.begin(url, { headers: { authorization: `Bearer ${token}` } }, connecting());
  const open: Promise<void>[] = [];
  const faults: string[] = [];
  let slowestMs = 0;
  const began = performance.now();
  const arrive = async (nth: number): Promise<void> => {
    const begun = performance.now();
    await calls.nth(kind === 'reading' ? nth % READS : nth).catch((error: unknown) => {
      faults.push(`${((begun - began) / 1000).toFixed(1)} s: ${String(error)}`);
    });
    slowestMs = Math.max(slowestMs, performance.now() - begun);
  };
  const pace = setInterval(() => open.push(arrive(open.length)), PACE_MS);
  try {
    await sleep(MARGIN_MS);
    await work();
    await sleep(MARGIN_MS);
  } finally {
    clearInterval(pace);
    await Promise.all(open);
    await calls.close();
  }
  if (faults.length === 0)
    return `0 of ${open.length} calls failed, the slowest took ${slowestMs.toFixed(0)} ms`;
  const kept = faults.slice(0, FAULTS_KEPT).join(' | ');
  throw new Error(`${faults.length} of ${open.length} calls failed, such as ${kept}`);
}
