/** Set-up code waits while a product that shares its processors with browsers answers 503. */
import { setTimeout as sleep } from 'node:timers/promises';

export const PATIENCE_MS = 90_000;

/** `fetch`, repeated after each 503 for at most 90 s; returns the last response. */
export async function fetchPatiently(url: string, init: RequestInit = {}): Promise<Response> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url, init);
    if (answer.status !== 503 || Date.now() > deadline) return answer;
    await waitOut(`${init.method ?? 'GET'} ${new URL(url).pathname}`, await answer.text());
  }
}

/** Reports that a request is repeated, and why, and pauses. */
export async function waitOut(what: string, why: string): Promise<void> {
  process.stderr.write(`${what} is repeated: ${why.slice(0, 200)}\n`);
  await sleep(300);
}
