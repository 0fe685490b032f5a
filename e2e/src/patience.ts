/** Set-up code waits while a product that shares its processors with browsers answers 503. */
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 90_000;

/** `fetch`, repeated after each 503 for at most 90 s; returns the last response. */
export async function fetchPatiently(url: string, init: RequestInit = {}): Promise<Response> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(300)) {
    const answer = await fetch(url, init);
    if (answer.status !== 503 || Date.now() > deadline) return answer;
    await answer.arrayBuffer();
  }
}
