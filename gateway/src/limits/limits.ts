/**
 * Rate limits per client address, with `@fastify/rate-limit`, counted here and shared between gateways
 * through Redis.
 */
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import { addressOf, customerNetworkOf } from '@karaar/base/addresses';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keepSharing } from './shared-counts.ts';
import { type SharedCounts, WindowCounter } from './window-counter.ts';
import type { GatewayConfig } from '../config.ts';
import { tooOften } from '../http/refusals.ts';
import { ipOf } from '../http/request-headers.ts';

const WINDOW_MS = 60_000;

/**
 * Returns the key by which a client is counted: its IPv4 address or its IPv6 /56, '' for an invalid address.
 */
export const addressKey = (req: FastifyRequest): string => addressOf(ipOf(req));

/** Returns the key of the largest network that the client may have: its IPv4 address or its IPv6 /48. */
export const networkKey = (req: FastifyRequest): string => customerNetworkOf(ipOf(req));

/**
 * Each function counts one request or throws AppError 429. `all` counts every request. `sensitive` (routes
 * that invite guessing) and `heavy` (expensive routes) additionally count theirs, with lower limits. Services
 * have finer limits (such as per phone or account); these bound the requests of one address.
 */
export type Limits = Record<'all' | 'sensitive' | 'heavy', (req: FastifyRequest) => Promise<void>>;

/**
 * Registers the limits. Without Redis each gateway counts alone, so the limits are multiplied by the number
 * of gateways but never disappear.
 * @param now milliseconds since the epoch, so that the windows of all gateways begin together
 */
export async function registerLimits(
  app: FastifyInstance,
  {
    config,
    counts,
    now = Date.now,
  }: { config: GatewayConfig; counts: SharedCounts; now?: (() => number) | undefined },
): Promise<Limits> {
  const counters: WindowCounter[] = [];
  await app.register(rateLimit, { global: false, keyGenerator: addressKey, store: Store });
  const limit = (name: string, max: number): Limits['all'] => {
    const counter = new WindowCounter({ name, limit: max, windowMs: WINDOW_MS, now });
    counters.push(counter);
    const options = { max, counter };
    const check = app.createRateLimit(options);
    return async (req) => {
      const verdict = await check(req);
      if (!verdict.isAllowed && verdict.isExceeded) throw tooOften(verdict.ttl);
    };
  };
  const limits: Limits = {
    all: limit('all', config.RATE_LIMIT_PER_MINUTE),
    sensitive: limit('sensitive', config.RATE_LIMIT_SENSITIVE_PER_MINUTE),
    heavy: limit('heavy', config.RATE_LIMIT_HEAVY_PER_MINUTE),
  };
  const stop = keepSharing(counters, counts, app.log);
  app.addHook('preClose', async () => stop());
  return limits;
}

/** The plugin makes a child of its store for each limit, with that limit's options. */
class Store implements FastifyRateLimitStore {
  #counter: WindowCounter | undefined;

  incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], _window: number, max: number): void {
    const waitMs = this.#counter?.take(key) ?? 0;
    done(null, { current: waitMs === 0 ? 1 : max + 1, ttl: waitMs });
  }

  child(options: object): Store {
    if (!('counter' in options && options.counter instanceof WindowCounter))
      throw new Error('A limit has no counter');
    const child = new Store();
    child.#counter = options.counter;
    return child;
  }
}
