import type { IncomingMessage } from 'node:http';
import { plainAddress } from '@karaar/base/addresses';
import { traceparentOf } from '@karaar/observability/telemetry';
import type { FastifyRequest } from 'fastify';
import { publicProtoOf, type Public } from './security.ts';

/** Headers that apply only to one connection (RFC 9110 §7.6.1). */
export const HOP_BY_HOP: readonly string[] = (
  'connection http2-settings keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer ' +
  'transfer-encoding upgrade'
).split(' ');
/** These headers, and those that the client library writes itself. */
const DROPPED = new Set([...HOP_BY_HOP, 'content-length', 'expect', 'host']);

/** Headers that only the gateway may set, because proxies and services trust them. */
const OURS = [
  // Headers with the client's address and route.
  'cf-connecting-ip|fastly-client-ip|forwarded|true-client-ip|via$',
  'x-(?:client-ip|cluster-client-ip|envoy-|forwarded|real-ip)',
  // Headers with an identity.
  'x-(?:auth-|authenticated-|internal-|karaar-|remote-|service-|user-)',
  // Headers that replace the path or method of a request.
  'x-(?:http-method|method-override|original-|rewrite-url)',
  'b3$|baggage|sentry-trace|traceparent|tracestate|uber-trace-id',
  'x-(?:amzn-|b3-|cloud-trace|ot-|request-id)',
];
const OUR_NAME = new RegExp(`^(?:${OURS.join('|')})`);

/** Returns true if a header (name in lower case) is never accepted from a client. */
export const isOurs = (name: string): boolean => OUR_NAME.test(name);

/** Returns the names in the `Connection` header, in lower case, which a proxy removes (RFC 9110 §7.6.1). */
export function hopsOf({ headers: { connection } }: Pick<IncomingMessage, 'headers'>): string[] {
  // The usual values name only headers that are dropped anyway.
  if (connection === undefined || connection === 'keep-alive') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}

/** Returns the client's IP address, as the trusted proxies report it. */
export const ipOf = (req: FastifyRequest): string =>
  plainAddress(req.ip) || plainAddress(req.socket.remoteAddress ?? '');

/**
 * Returns the headers for the service, as flat name/value pairs. They are built from the parsed headers, so
 * that the service gets exactly the values that the gateway checked (such as a single Authorization). The
 * code that writes the body sets its length.
 * @param traceparent of the span recorded here; by default the client's
 */
export function requestHeaders(req: FastifyRequest, config: Public, traceparent?: string): string[] {
  const { headers } = req;
  const chain = req.ips
    ?.toReversed()
    .map(plainAddress)
    .filter((address) => address !== '');
  const vouched = (chain?.length ?? 0) > 1;
  const proto = vouched && /^https?$/.test(req.protocol) ? req.protocol : publicProtoOf(config);
  const out = [
    'x-request-id',
    req.id,
    'traceparent',
    traceparent ?? traceparentOf(headers['traceparent']),
    'x-forwarded-for',
    chain?.join(', ') ?? ipOf(req),
    'x-forwarded-proto',
    proto,
    'x-forwarded-host',
    req.host,
  ];
  const hops = hopsOf(req);
  for (const name in headers) {
    if (DROPPED.has(name) || isOurs(name) || hops.includes(name)) continue;
    const value = headers[name];
    if (typeof value === 'string') out.push(name, value);
    else if (value !== undefined) for (const one of value) out.push(name, one);
  }
  return out;
}
