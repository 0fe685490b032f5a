import type { IncomingHttpHeaders } from 'node:http';

/** What the gateway itself knows about a request and tells the service. */
export type Forwarded = {
  /** Chain of client addresses, the last one seen by this gateway. */
  for: string;
  proto: string;
  host: string;
  requestId: string;
  traceparent: string;
};

/** Headers that belong to one connection (RFC 9110 §7.6.1), or that the gateway writes itself. */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'x-request-id',
  'traceparent',
]);

/** Names that the sender's `Connection` header declares as meant for this hop only. */
function hopOnly(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection.split(',').map((name) => name.trim().toLowerCase());
}

/**
 * The header list for the service, as flat name/value pairs. Built from the parsed headers, so that the
 * service sees exactly the values that the gateway decided on (one Authorization, one Content-Length).
 */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  forwarded: Forwarded,
  hasBody: boolean,
): string[] {
  const out: string[] = [
    'x-request-id',
    forwarded.requestId,
    'traceparent',
    forwarded.traceparent,
    'x-forwarded-for',
    forwarded.for,
    'x-forwarded-proto',
    forwarded.proto,
    'x-forwarded-host',
    forwarded.host,
  ];
  const dropped = hopOnly(headers.connection);
  for (const name in headers) {
    if (DROPPED.has(name)) continue;
    if (name === 'content-length' && !hasBody) continue;
    if (dropped.length > 0 && dropped.includes(name)) continue;
    const value = headers[name];
    if (typeof value === 'string') out.push(name, value);
    else if (value !== undefined) for (const one of value) out.push(name, one);
  }
  return out;
}
