/**
 * A product that shares its processor with browsers and tests is overloaded for moments, and says so with 503: that it does is
 * tested elsewhere. What only sets the scene waits such a moment out, and reports that it did.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 90_000;
const PAUSE_MS = 300;

/** `fetch`, once more after each 503, for at most 90 s; the last answer is given back whatever its status. */
export async function fetchPatiently(url: string, init: RequestInit = {}): Promise<Response> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url, init);
    if (answer.status !== 503 || Date.now() > until) return answer;
    const text = await answer.text();
    noteWait(`${init.method ?? 'GET'} ${new URL(url).pathname}`, text);
    await sleep(PAUSE_MS);
  }
}

/** Reports that something was asked again. @param what method and path @param why what was answered */
export function noteWait(what: string, why: string): void {
  process.stderr.write(`${what} is asked again: ${why.slice(0, 200)}\n`);
}
