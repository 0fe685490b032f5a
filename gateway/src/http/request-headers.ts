import type { IncomingMessage } from 'node:http';
import { plainAddress } from '@karaar/platform/addresses';
import { traceparentOf } from '@karaar/platform/telemetry';
import type { FastifyRequest } from 'fastify';
import { publicProtoOf, type Public } from './security.ts';

/** Headers that belong to one connection (RFC 9110 §7.6.1). */
export const HOP_BY_HOP: readonly string[] = (
  'connection http2-settings keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer ' +
  'transfer-encoding upgrade'
).split(' ');
/** These headers, and those that the client library writes itself. */
const DROPPED = new Set([...HOP_BY_HOP, 'content-length', 'expect', 'host']);

/** Prefixes of headers that only the gateway may set, because proxies and services trust them. */
const OURS = [
  // Headers that name the client and its route.
  'cf-connecting-ip|fastly-client-ip|forwarded|true-client-ip|via$',
  'x-(?:client-ip|cluster-client-ip|envoy-|forwarded|real-ip)',
  // As whom.
  'x-(?:auth-|authenticated-|internal-|karaar-|remote-|service-|user-)',
  // Headers that replace the path or method of a request.
  'x-(?:http-method|method-override|original-|rewrite-url)',
  // For which trace.
  'b3$|baggage|sentry-trace|traceparent|tracestate|uber-trace-id',
  'x-(?:amzn-|b3-|cloud-trace|ot-|request-id)',
];
const OUR_NAME = new RegExp(`^(?:${OURS.join('|')})`);

/** Is a header, by its name in lower case, never taken from a client? */
export const isOurs = (name: string): boolean => OUR_NAME.test(name);

/** The header names that the request's `Connection` header lists, in lower case. */
export function hopsOf({ headers: { connection } }: Pick<IncomingMessage, 'headers'>): string[] {
  // The usual values, which name headers that belong to every connection anyway.
  if (connection === undefined || connection === 'keep-alive') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}

/** The client's IP address, as the trusted proxies report it. */
export const ipOf = (req: FastifyRequest): string =>
  plainAddress(req.ip) || plainAddress(req.socket.remoteAddress ?? '');

/**
 * The header list for the service, as flat name/value pairs. Built from the parsed headers, so that the service sees
 * exactly the values that the gateway decided on (one Authorization); the code that writes the body sets its length.
 *
 * @param traceparent of the span that is recorded here; the sender's trace when not given
 */
export function requestHeaders(req: FastifyRequest, config: Public, traceparent?: string): string[] {
  const { headers } = req;
  // The client's chain of addresses, as far back as each trusted proxy reports the next.
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
