import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Principal, TokenVerifier } from '../../auth/index.ts';
import type { CallerSecrets } from '../../service-credentials/index.ts';
import type { Logger } from '@karaar/observability/logging';
import type { FileScanner } from '../../scan/index.ts';
import { createBaseApp } from './base-app.ts';
import { registerHealth, type HealthFacts, type ReadinessChecks } from './health.ts';
import { createInnerApp, isInner } from './inner-app.ts';
import type { Pace } from '../limits/pace.ts';
import type { PressureOptions } from '../limits/pressure.ts';
import { sweepAbandoned } from '../input/spool-dir.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * From here on `/readyz` answers 503 and connections close after their current response, at both ports.
     */
    startDraining(): void;
    /**
     * Calls the listener once when the process is told to stop, while it still answers and other processes
     * take over.
     */
    onDraining(listener: () => void): void;
    /** The internal port's app: `/metrics`, and routes for other services. Closed with this one. */
    inner: FastifyInstance;
    /** Verifies tokens of this app's routes; undefined if the app has public routes only. */
    tokenVerifier: TokenVerifier | undefined;
    /** Scans files of forms before handlers get them; undefined if no scanner is configured. */
    fileScanner: FileScanner | undefined;
  }
  interface FastifyRequest {
    /** Set before the body is read on every route that is not public. */
    principal: Principal | undefined;
  }
}

export type HttpApp = FastifyInstance;

export type HttpAppOptions = {
  name: string;
  logger: Logger;
  /** The checks of `/readyz`, by name; each has one second. */
  readiness?: ReadinessChecks;
  /** Additional properties of `/healthz`. */
  health?: HealthFacts;
  /** Required if a route is not public. */
  verifier?: TokenVerifier | undefined;
  scanner?: FileScanner | undefined;
  /**
   * Maximum bytes of a JSON or urlencoded body; 1 MiB by default. Files have their own limits in the
   * contract.
   */
  bodyLimit?: number;
  /**
   * Proxies whose `X-Forwarded-For` sets `req.ip`; by default loopback and private networks, from which only
   * the gateway (or its ingress) can reach a service.
   */
  trustProxy?: string[];
  pressure?: PressureOptions;
  pace?: Pace;
  /** Secrets of the services that call the internal port, by the caller's name. */
  callers?: CallerSecrets | undefined;
  /** A separate registry, for tests that count. */
  registry?: Registry;
};

/**
 * Creates an app with health, readiness, request ids, body parsers, limits and the error shape, and with
 * `app.inner` for metrics. Add routes with `mountRoute`, those for other services to `app.inner`. Listening
 * is separate (`listenOnPorts`), so that tests use `app.inject` or their own ports.
 */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { logger, bodyLimit, pressure, pace, registry } = options;
  let draining = false;
  const common = { logger, pressure, pace, registry, isDraining: () => draining };
  const app = createBaseApp({
    ...common,
    bodyLimit,
    trustProxy: options.trustProxy ?? ['loopback', 'linklocal', 'uniquelocal'],
    spared: ['/healthz', '/readyz', '/readyz/self'],
  });
  const inner = createInnerApp({ ...common, callers: options.callers });
  const onDraining: (() => void)[] = [];
  app.decorate('startDraining', () => {
    draining = true;
    for (const listener of onDraining.splice(0)) listener();
  });
  app.decorate('onDraining', (listener: () => void) => void onDraining.push(listener));
  app.decorate('inner', inner);
  app.decorate('tokenVerifier', options.verifier);
  app.decorate('fileScanner', options.scanner);
  app.decorateRequest('principal', undefined);
  app.addHook('onRoute', ({ url, method }) => {
    if (isInner(url)) throw new Error(`${String(method)} ${url} belongs to the internal port`);
  });
  closeTogether(app, inner);
  app.addHook('onReady', () => sweepAbandoned(logger));
  registerHealth(app, options.readiness ?? {}, () => draining, options.health);
  return app;
}

/** Both ports stop accepting at the same time; closing the public one resolves after the internal one. */
function closeTogether(app: FastifyInstance, inner: FastifyInstance): void {
  let closing: Promise<unknown> | undefined;
  app.addHook('preClose', async () => {
    closing = inner.close();
    // Rethrown below, when a caller awaits it.
    closing.catch(() => undefined);
  });
  app.addHook('onClose', async () => {
    await closing;
  });
}
