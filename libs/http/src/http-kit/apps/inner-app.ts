/**
 * The internal port of a service, which the gateway must never reach. It serves `/metrics` to every client,
 * and each `/internal/…` route to the callers that the route names (docs/adr/0042).
 */
import type { FastifyInstance } from 'fastify';
import { bearerCredential, createCallers, type CallerSecrets } from '../../service-credentials/index.ts';
import { forbidden, unauthorized } from '@karaar/base/errors';
import { createBaseApp, type BaseOptions } from './base-app.ts';
import { exposeMetrics } from '../observed/metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling service by its credential; on the internal port only. */
    caller: string | undefined;
  }
  interface FastifyContextConfig {
    callers?: readonly string[];
    /** The route is served even under overload. */
    spared?: boolean;
  }
}

const METRICS = '/metrics';

/** Returns true for paths of the internal port. */
export const isInner = (path: string): boolean => path === METRICS || path.startsWith('/internal/');

export type InnerOptions = Omit<BaseOptions, 'trustProxy' | 'spared'> & {
  /** Secrets of the callers; empty if this port has metrics only. */
  callers?: CallerSecrets | undefined;
};

/**
 * Creates the app of the internal port, with `/metrics`. Added routes begin with `/internal/` and name their
 * callers in `config.callers`, who are checked before the body is read: 401 without a known credential, 403
 * for another caller.
 * @throws Error when a route is added that names no callers or whose secrets are not configured
 */
export function createInnerApp({ callers = {}, ...options }: InnerOptions): FastifyInstance {
  const callerOf = createCallers(callers);
  // No proxy is in front of this port, so `X-Forwarded-For` is ignored.
  const app = createBaseApp({ ...options, trustProxy: false, spared: [METRICS] });
  app.decorateRequest('caller', undefined);
  app.addHook('onRoute', ({ url, method, config }) => {
    if (url === METRICS) return;
    const named = config?.callers ?? [];
    const where = `${String(method)} ${url}`;
    if (!isInner(url)) throw new Error(`${where} does not belong to the internal port`);
    if (named.length === 0) throw new Error(`${where} names no callers`);
    for (const caller of named)
      if (!(caller in callers))
        throw new Error(`${where} is called by ${caller}, whose secrets are not given`);
  });
  app.addHook('onRequest', async (req) => {
    const { callers: allowed } = req.routeOptions.config;
    // Metrics, and unknown addresses.
    if (allowed === undefined) return;
    const token = bearerCredential(req.headers.authorization);
    if (token === undefined) throw unauthorized('not_authenticated', 'This call needs a credential.');
    req.caller = callerOf(token);
    if (req.caller === undefined) throw unauthorized('invalid_token', 'This credential is not known here.');
    if (!allowed.includes(req.caller))
      throw forbidden('wrong_audience', 'This credential is not for this call.');
  });
  exposeMetrics(app, METRICS, options.registry);
  return app;
}
