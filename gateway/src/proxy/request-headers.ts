import { isIP } from 'node:net';
import { traceparentOf } from '@karaar/platform/telemetry';
import type { FastifyRequest } from 'fastify';

/** Headers that belong to one connection (RFC 9110 §7.6.1), or that the client library writes for its own. */
const HOP_BY_HOP = [
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** What only we may say: who asks, by which way, for which trace, as whom (proxies and services believe such names). */
const OURS = [
  'b3',
  'baggage',
  'cf-connecting-ip',
  'fastly-client-ip',
  'forwarded',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'true-client-ip',
  'uber-trace-id',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-http-method-override',
  'x-method-override',
  'x-http-method',
  'x-original-url',
  'x-real-ip',
  'x-request-id',
  'x-rewrite-url',
];
const OUR_PREFIXES =
  /^x-(?:amzn-|auth-|authenticated-|b3-|cloud-trace|envoy-|forwarded|internal-|karaar-|ot-|original-|remote-|service-|user-)/;
const DROPPED = new Set([...HOP_BY_HOP, ...OURS]);

/** Is a header, by its name in lower case, never taken from a client? */
export const isOurs = (name: string): boolean => DROPPED.has(name) || OUR_PREFIXES.test(name);

/** Who sent a request, as far as the trusted proxies are believed. */
export function addressOf(req: FastifyRequest): string {
  return plain(isIP(req.ip) === 0 ? (req.socket.remoteAddress ?? '') : req.ip);
}

/** An IPv4 address that arrived on an IPv6 socket, in its own form. */
const plain = (address: string) => (address.startsWith('::ffff:') ? address.slice(7) : address);

/**
 * The header list for the service, as flat name/value pairs. Built from the parsed headers, so that the service sees
 * exactly the values that the gateway decided on (one Authorization); the length of the body is left to who frames it.
 *
 * @param publicProto by which protocol browsers reach the product, where no trusted proxy says otherwise
 * @param traceparent of the span that is recorded here; the sender's trace when not given
 */
export function requestHeaders(req: FastifyRequest, publicProto: string, traceparent?: string): string[] {
  const { headers } = req;
  // What a trusted proxy says, as far back as each one vouches for the next.
  const chain = req.ips
    ?.toReversed()
    .map(plain)
    .filter((address) => isIP(address) !== 0);
  const vouched = (chain?.length ?? 0) > 1;
  const proto = vouched && /^https?$/.test(req.protocol) ? req.protocol : publicProto;
  const out = [
    'x-request-id',
    req.id,
    'traceparent',
    traceparent ?? traceparentOf(headers['traceparent']),
    'x-forwarded-for',
    chain?.join(', ') ?? addressOf(req),
    'x-forwarded-proto',
    proto,
    'x-forwarded-host',
    req.host,
  ];
  const hops = headers.connection
    ?.toLowerCase()
    .split(',')
    .map((name) => name.trim());
  for (const name in headers) {
    if (isOurs(name) || hops?.includes(name) === true) continue;
    const value = headers[name];
    if (typeof value === 'string') out.push(name, value);
    else if (value !== undefined) for (const one of value) out.push(name, one);
  }
  return out;
}
