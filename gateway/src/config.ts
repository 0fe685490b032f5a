import { fileURLToPath } from 'node:url';
import { backingEnv, baseEnv, loadConfig, refuseExposed, refuseInProduction } from '@karaar/base/config';
import { Type, type Static } from 'typebox';

const Url = Type.String({ pattern: '^https?://', errorMessage: 'must be an http:// URL' });
const Origin = Type.String({
  pattern: '^https?://[\\w.-]+(:\\d+)?$',
  errorMessage: 'must be an origin, without a path',
});
const Integrity = Type.String({
  pattern: '^sha(256|384|512)-[A-Za-z0-9+/]+=*$',
  errorMessage: 'must be a hash as in the integrity attribute',
});

export const Config = Type.Object({
  ...baseEnv,
  NATS_URL: backingEnv.NATS_URL,
  REDIS_URL: backingEnv.REDIS_URL,
  AUTH_URL: Url,
  DOCUMENTS_URL: Url,
  PAYMENTS_URL: Url,
  WALLET_URL: Url,
  MESSAGING_URL: Url,
  VISION_URL: Url,
  CMS_URL: Url,
  NOTIFICATIONS_URL: Url,
  /** Development only: the provider sandboxes, served under `/dev` and `/sandbox`. */
  SANDBOX_URL: Type.Optional(Url),
  /** The public address of the product; https or http follows from it. */
  PUBLIC_URL: Type.String({ pattern: '^https?://', default: 'http://localhost:8080' }),
  WEB_DIR: Type.String({ minLength: 1, default: fileURLToPath(new URL('../../apps', import.meta.url)) }),
  /**
   * Address and hash of the `mf-manifest.json` of remotes that are served from another origin instead of
   * `WEB_DIR`.
   */
  REMOTE_USER_URL: Type.Optional(Type.String({ minLength: 1 })),
  REMOTE_ADMIN_URL: Type.Optional(Type.String({ minLength: 1 })),
  REMOTE_USER_INTEGRITY: Type.Optional(Integrity),
  REMOTE_ADMIN_INTEGRITY: Type.Optional(Integrity),
  /** Origins of the card provider's checkout; empty with the sandbox, which is on our own origin. */
  CHECKOUT_ORIGINS: Type.Array(Origin, { default: [] }),
  /** Addresses or CIDR ranges whose `X-Forwarded-*` headers are trusted. */
  TRUSTED_PROXIES: Type.Array(Type.String({ pattern: '^[0-9a-fA-F:.]+(/\\d{1,3})?$' }), { default: [] }),
  /** Generous, because a mobile operator has thousands of phones behind one address. */
  RATE_LIMIT_PER_MINUTE: Type.Integer({ minimum: 1, default: 30_000 }),
  RATE_LIMIT_SENSITIVE_PER_MINUTE: Type.Integer({ minimum: 1, default: 300 }),
  /** For files of up to 240 MB that anyone may send to verify. */
  RATE_LIMIT_HEAVY_PER_MINUTE: Type.Integer({ minimum: 1, default: 60 }),
  /**
   * Open connections from one address, which may be an office or a mobile operator; trusted proxies are not
   * counted.
   */
  CONNECTIONS_PER_ADDRESS: Type.Integer({ minimum: 1, default: 4_096 }),
  /**
   * Requests of one address in progress; far below `UPSTREAM_CONNECTIONS`, so that no address can hold all of
   * them.
   */
  REQUESTS_PER_ADDRESS: Type.Integer({ minimum: 1, default: 128 }),
  /** Limit for those requests that are long: uploads, downloads, and bodies still arriving. */
  LONG_PER_ADDRESS: Type.Integer({ minimum: 1, default: 48 }),
  /** The same limit for a signed-in user, from all addresses. */
  LONG_PER_USER: Type.Integer({ minimum: 1, default: 16 }),
  DEADLINE_MS: Type.Integer({ minimum: 100, default: 15_000 }),
  /** Minimum average rate of a body with files, in each period of `UPLOAD_STALL_MS`. */
  UPLOAD_MIN_BYTES_PER_S: Type.Integer({ minimum: 1, default: 1_024 }),
  UPLOAD_STALL_MS: Type.Integer({ minimum: 100, default: 30_000 }),
  /** The minimum rate of all other bodies, which are short. */
  BODY_MIN_BYTES_PER_S: Type.Integer({ minimum: 1, default: 256 }),
  BODY_STALL_MS: Type.Integer({ minimum: 100, default: 10_000 }),
  JSON_MAX_BYTES: Type.Integer({ minimum: 1_024, default: 1_048_576 }),
  UPLOAD_MAX_BYTES: Type.Integer({ minimum: 1_024, default: 268_435_456 }),
  /** Connections to each service. Half of them are for long requests: files, photo checks, sealing. */
  UPSTREAM_CONNECTIONS: Type.Integer({ minimum: 1, default: 256 }),
  /** Milliseconds that most requests may wait, at a service or in the gateway, before some are refused. */
  QUEUE_TARGET_MS: Type.Integer({ minimum: 5, default: 40 }),
  /** Upper bound of a service's concurrency limit, however fast the service seems. */
  UPSTREAM_MAX_IN_FLIGHT: Type.Integer({ minimum: 1, default: 1_024 }),
  /** Open WebSockets; more are refused, so that memory does not run out. */
  WEBSOCKETS_MAX: Type.Integer({ minimum: 1, default: 20_000 }),
  /** Port of the metrics, separate because `PORT` is public. Without it there are no metrics. */
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  /** PEM file of the public TLS certificate if TLS ends before the gateway; its expiry becomes a metric. */
  TLS_CERTIFICATE_FILE: Type.Optional(Type.String({ minLength: 1 })),
  /** Time that requests in progress get to finish when the process stops. */
  DRAIN_MS: Type.Integer({ minimum: 0, default: 25_000 }),
});

export type GatewayConfig = Static<typeof Config>;

/**
 * Returns the gateway's frozen configuration.
 * @throws ConfigError for invalid variables, and for values that are refused in production or on an exposed
 * host
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): GatewayConfig {
  const config = loadConfig(Config, { SERVICE_NAME: 'gateway', ...env });
  refuseInProduction(config, [
    { name: 'SANDBOX_URL', refuse: (value) => value !== undefined, because: 'is a sandbox' },
    { name: 'CHECKOUT_ORIGINS', refuse: (origins) => String(origins) === '', because: 'is empty' },
  ]);
  refuseExposed(config, [
    {
      name: 'SANDBOX_URL',
      when: (url) => url !== undefined,
      because: 'shows codes and passwords to everybody',
    },
  ]);
  return config;
}
