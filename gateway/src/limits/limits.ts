/** Rate limits per client address, by `@fastify/rate-limit`, counted here and shared between gateways through Redis. */
import rateLimit, { normalizeIP, type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keepSharing, WindowCounter } from '@karaar/platform/window-counts';
import type { GatewayParts } from '../app.ts';
import { tooOften } from '../http/refusals.ts';
import { addressOf } from '../proxy/request-headers.ts';

const WINDOW_MS = 60_000;

/** An IPv6 subscriber has a whole /64: counted as one. */
export const addressKey = (req: FastifyRequest): string => normalizeIP(addressOf(req));

/** Counts one request. @throws AppError 429 */
export type Limit = (req: FastifyRequest) => Promise<void>;

/**
 * `all` counts every request; `sensitive` and `heavy` count those routes once more, apart and lower: where guessing pays,
 * and where one call costs much. The services keep their own, finer limits (per phone, per account, how many at once);
 * these bound what one address can ask of them at all.
 */
export type Limits = Record<'all' | 'sensitive' | 'heavy', Limit>;

/**
 * Without Redis each gateway goes on with its own counts: the limits get looser by their number, and never go away.
 * @param now milliseconds since the epoch; windows of all gateways begin together
 */
export async function registerLimits(
  app: FastifyInstance,
  { config, counts, now = Date.now }: Pick<GatewayParts, 'config' | 'counts' | 'now'>,
): Promise<Limits> {
  const counters: WindowCounter[] = [];
  const limit = async (name: string, max: number): Promise<Limit> => {
    const counter = new WindowCounter({ name, limit: max, windowMs: WINDOW_MS, now });
    counters.push(counter);
    // Each has a store of its own; the plugin's settings are its scope's.
    let check: ReturnType<FastifyInstance['createRateLimit']> | undefined;
    await app.register(async (scope) => {
      const store = storeOf(counter);
      await scope.register(rateLimit, { global: false, max, store, keyGenerator: addressKey });
      check = scope.createRateLimit();
    });
    return async (req) => {
      const verdict = await check?.(req);
      if (verdict?.isAllowed === false && verdict.isExceeded) throw tooOften(verdict.ttl);
    };
  };
  const limits: Limits = {
    all: await limit('all', config.RATE_LIMIT_PER_MINUTE),
    sensitive: await limit('sensitive', config.RATE_LIMIT_SENSITIVE_PER_MINUTE),
    heavy: await limit('heavy', config.RATE_LIMIT_HEAVY_PER_MINUTE),
  };
  const stop = keepSharing(counters, counts, app.log);
  app.addHook('preClose', (done) => {
    stop();
    done();
  });
  return limits;
}

function storeOf(counter: WindowCounter) {
  return class implements FastifyRateLimitStore {
    incr(
      key: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      _window?: number,
      max = 0,
    ): void {
      const waitMs = counter.take(key);
      done(null, { current: waitMs === 0 ? 1 : max + 1, ttl: waitMs });
    }

    child(): this {
      return this;
    }
  };
}
