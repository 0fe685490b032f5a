import { request } from 'undici';
import type { Upstream } from '../proxy/upstream.ts';

const DEADLINE_MS = 1_000;
/**
 * Callers within this time share one round of requests, so that health checks put no load on the services.
 */
const SHARE_MS = 500;

export type Health = { status: 'ok' | 'degraded'; services: Record<string, 'ok' | 'failed'> };

/** Returns a function that requests every service's readiness in parallel, with a deadline of a second. */
export function healthCheck(services: readonly Upstream[]): () => Promise<Health> {
  let lastCheck: { at: number; health: Promise<Health> } | undefined;
  return () => {
    const at = Date.now();
    if (lastCheck === undefined || at - lastCheck.at > SHARE_MS) lastCheck = { at, health: ask(services) };
    return lastCheck.health;
  };
}

async function ask(services: readonly Upstream[]): Promise<Health> {
  const states = await Promise.all(services.map(stateOf));
  return {
    status: states.every((state) => state === 'ok') ? 'ok' : 'degraded',
    services: Object.fromEntries(services.map(({ name }, at) => [name, states[at] ?? 'failed'])),
  };
}

/**
 * Uses a new connection each time, so that the pool's busy connections and circuit breaker do not influence
 * the answer.
 */
async function stateOf({ url }: Upstream): Promise<'ok' | 'failed'> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const answer = await request(new URL('/readyz', url), { signal, reset: true });
    await answer.body.dump();
    return answer.statusCode === 200 ? 'ok' : 'failed';
  } catch {
    return 'failed';
  }
}
