import { EXPOSED } from '@karaar/contracts/exposure';
import { Type } from 'typebox';

/** Environment variables of every process, to spread into the properties of its own schema. */
export const baseEnv = {
  NODE_ENV: Type.Union([Type.Literal('development'), Type.Literal('test'), Type.Literal('production')], {
    default: 'development',
  }),
  SERVICE_NAME: Type.String({ minLength: 1 }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  /**
   * Lets a development process (sandboxes, demo accounts) listen beyond loopback; the value names the risk.
   */
  EXPOSED_DEVELOPMENT: Type.Optional(Type.Literal(EXPOSED)),
  PORT: Type.Integer({ minimum: 0, maximum: 65_535 }),
  LOG_LEVEL: Type.Union(
    (['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const).map((level) =>
      Type.Literal(level),
    ),
    { default: 'info' },
  ),
  /**
   * Milliseconds from the stop signal until connections are closed. Meanwhile requests are still answered,
   * with `connection: close`, and readiness fails, so that load balancers switch over and no idle connection
   * closes under a request. For a service in a cluster above 3 s, after which the gateway closes idle connections.
   */
  DRAIN_WAIT_MS: Type.Integer({ minimum: 0, maximum: 60_000, default: 0 }),
  /** OTLP/HTTP endpoint for traces; without it none are recorded, and only their ids are propagated. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Share of the traces begun here that are recorded; a trace that the caller records is always recorded. */
  TRACE_SAMPLE_RATIO: Type.Number({ minimum: 0, maximum: 1, default: 0.1 }),
};

/**
 * Addresses of a process with an internal port, for metrics and calls of other services. Never given to the
 * gateway.
 */
export const innerEnv = {
  INTERNAL_HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  INTERNAL_PORT: Type.Integer({ minimum: 0, maximum: 65_535 }),
};

/** Addresses of the backing services; spread those that the process uses. */
export const backingEnv = {
  /** A password of the first two addresses may be `old,new` while it is rotated. */
  DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://', errorMessage: 'must be a postgres:// URL' }),
  NATS_URL: Type.String({ pattern: '^(nats|tls)://', errorMessage: 'must be a nats:// URL' }),
  /** Or `redis+sentinel://:password@host:port,host:port/name-of-the-master`. */
  REDIS_URL: Type.String({
    pattern: '^(rediss?|redis\\+sentinel)://',
    errorMessage: 'must be a redis:// or redis+sentinel:// URL',
  }),
  AUTH_URL: Type.String({ pattern: '^https?://', errorMessage: 'must be an http:// URL' }),
};
