import { request } from 'undici';
import type { Upstream } from '../proxy/upstream.ts';

const DEADLINE_MS = 1_000;
/** Callers within this time share one round of questions: a health page is no lever on the services. */
const SHARE_MS = 500;

export type Health = { status: 'ok' | 'degraded'; services: Record<string, 'ok' | 'failed'> };

/** Asks every service for its readiness, in parallel; none gets more than a second. */
export class HealthCheck {
  readonly #upstreams: readonly Upstream[];
  #last: Promise<Health> | null = null;
  #askedAt = 0;

  constructor(upstreams: readonly Upstream[]) {
    this.#upstreams = upstreams;
  }

  read(): Promise<Health> {
    const now = Date.now();
    if (this.#last === null || now - this.#askedAt > SHARE_MS) {
      this.#askedAt = now;
      this.#last = this.#ask();
    }
    return this.#last;
  }

  async #ask(): Promise<Health> {
    const states = await Promise.all(
      this.#upstreams.map(async (upstream) => [upstream.name, await isReady(upstream)] as const),
    );
    return {
      status: states.every(([, ready]) => ready) ? 'ok' : 'degraded',
      services: Object.fromEntries(states.map(([name, ready]) => [name, ready ? 'ok' : 'failed'])),
    };
  }
}

/** A fresh connection each time: the pool's breaker and its busy sockets must not colour the answer. */
async function isReady({ url }: Upstream): Promise<boolean> {
  try {
    const answer = await request(new URL('/readyz', url), {
      signal: AbortSignal.timeout(DEADLINE_MS),
      reset: true,
    });
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    return false;
  }
}
