import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import { baseEnv, ConfigError, loadConfig } from '@karaar/base/config';
import type { Logger } from '@karaar/observability/logging';
import { startTracing } from '@karaar/observability/telemetry';
import type { HttpApp } from './app.ts';

export type ListenAddress = { host: string; port: number };

export type PortsConfig = { HOST: string; PORT: number; INTERNAL_HOST: string; INTERNAL_PORT: number };

const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EADDRNOTAVAIL: 'is not an address of this machine',
  EACCES: 'may not be listened on by this account',
};

async function listenAs(app: FastifyInstance, address: ListenAddress, variable: string): Promise<string> {
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  try {
    await app.listen(address);
  } catch (err) {
    const refusal = REFUSALS[(err as NodeJS.ErrnoException).code ?? ''];
    if (refusal === undefined) throw err;
    throw new ConfigError([
      { name: variable, problem: `is ${address.port}, and ${host}:${address.port} ${refusal}` },
    ]);
  }
  const bound = app.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  return `http://${host}:${port}`;
}

/**
 * Starts listening at one port.
 * @returns the base URL, with the actual port if 0 was requested
 * @throws ConfigError with the reason if the address cannot be used
 */
export const listen = (app: FastifyInstance, address: ListenAddress): Promise<string> =>
  listenAs(app, address, 'PORT');

/**
 * Listens on both ports of a service, the internal one first, so that it is available when requests arrive.
 * @returns their base URLs, with the actual ports if 0 was requested
 * @throws ConfigError that names the variable whose address cannot be used
 */
export async function listenOnPorts(
  app: HttpApp,
  { HOST, PORT, INTERNAL_HOST, INTERNAL_PORT }: PortsConfig,
): Promise<{ url: string; innerUrl: string }> {
  const innerUrl = await listenAs(app.inner, { host: INTERNAL_HOST, port: INTERNAL_PORT }, 'INTERNAL_PORT');
  return { innerUrl, url: await listenAs(app, { host: HOST, port: PORT }, 'PORT') };
}

type Connections = { closeIdleConnections(): void; closeAllConnections(): void };

/** The interface that `runService` needs; both `HttpApp` and the gateway's app have it. */
export type Drainable = {
  startDraining(): void;
  /** Stops listening, at the internal port too; resolves after the last request. */
  close(): PromiseLike<unknown>;
  server: Connections;
  inner?: { server: Connections };
  log: Pick<Logger, 'info' | 'warn' | 'fatal'>;
};

/** A listening app, and the resources to close after the last request. */
export type Service = {
  app: Drainable;
  close: () => Promise<void>;
  /** Milliseconds that running requests get to finish; 10 s by default. */
  drainMs?: number;
};

const DRAIN_MS = 10_000;
const CLOSE_MS = 5_000;

/** Returns true if `work` resolved in time. Rethrows its error. */
async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Stops accepting, lets running requests finish within the drain time, then closes the resources. */
async function shutDown({ app, close, drainMs = DRAIN_MS }: Service): Promise<void> {
  app.startDraining();
  const servers = [app.server, ...(app.inner ? [app.inner.server] : [])];
  // Responses that began earlier could not announce that their connection closes.
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections();
  }, 100);
  try {
    if (!(await inTime(Promise.resolve(app.close()), drainMs))) {
      app.log.warn('Requests still ran after the drain time; their connections were cut');
      for (const server of servers) server.closeAllConnections();
    }
  } finally {
    clearInterval(sweep);
  }
  if (!(await inTime(close(), CLOSE_MS))) app.log.warn('Resources did not close in time');
}

const { DRAIN_WAIT_MS, OTEL_EXPORTER_OTLP_ENDPOINT, TRACE_SAMPLE_RATIO } = baseEnv;
const ProcessEnv = Type.Object({
  DRAIN_WAIT_MS,
  SERVICE_NAME: Type.String({ default: 'gateway' }),
  OTEL_EXPORTER_OTLP_ENDPOINT,
  TRACE_SAMPLE_RATIO,
});

/** Records traces if a collector is configured. @returns a function that flushes them */
function traceProcess(config: Static<typeof ProcessEnv>): () => Promise<void> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => undefined;
  return startTracing({ service: config.SERVICE_NAME, endpoint, ratio: config.TRACE_SAMPLE_RATIO });
}

/**
 * Before the service exists there is no logger; a start error goes to stderr as text (a list, for a
 * ConfigError).
 */
function reportStartFault(err: unknown): void {
  const text =
    err instanceof Error && err.name === 'ConfigError'
      ? err.message
      : err instanceof Error
        ? err.stack
        : String(err);
  process.stderr.write(`${text}\n`);
}

/**
 * Runs a process: creates the service, waits for SIGTERM or SIGINT, drains and exits 0. A start error or
 * uncaught error is logged and exits 1. A second signal exits at once.
 * @param create builds the service and starts listening; gets the environment, so that nothing else reads it
 */
export async function runService(create: (env: NodeJS.ProcessEnv) => Promise<Service>): Promise<void> {
  let service: Service | undefined;
  let stopping = false;
  let drainWaitMs = 0;
  let endTracing = async (): Promise<void> => undefined;

  const fail = (err: unknown, message: string): never => {
    if (service) service.app.log.fatal({ err }, message);
    else reportStartFault(err);
    process.exit(1);
  };
  process.on('uncaughtException', (err) => fail(err, 'Uncaught error'));
  process.on('unhandledRejection', (err) => fail(err, 'Unhandled rejection'));

  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    // If it is stopped while starting, its resources end with the process; it has taken no request yet.
    if (!service) process.exit(0);
    service.app.log.info({ signal }, 'Draining');
    try {
      service.app.startDraining();
      await sleep(drainWaitMs);
      await shutDown(service);
    } catch (err) {
      fail(err, 'Shutdown failed');
    }
    await endTracing();
    service.app.log.info('Stopped');
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));

  try {
    const config = loadConfig(ProcessEnv, process.env);
    drainWaitMs = config.DRAIN_WAIT_MS;
    endTracing = traceProcess(config);
    service = await create(process.env);
  } catch (err) {
    fail(err, 'Start failed');
  }
}
