/** As the client library hands them over: names in lower case. */
export type ServiceHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Belongs to the connection to the service, says what runs there, or is written by the gateway itself. */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'server',
  'x-powered-by',
  'x-request-id',
]);

/**
 * The header list for the browser, as flat name/value pairs: the service's own headers first, then
 * each default that the service did not set itself.
 */
export function responseHeaders(
  headers: ServiceHeaders,
  requestId: string,
  defaults: readonly (readonly [string, string])[],
): string[] {
  const out: string[] = ['x-request-id', requestId];
  for (const name in headers) {
    if (DROPPED.has(name)) continue;
    const value = headers[name];
    if (typeof value === 'string') out.push(name, value);
    else if (value !== undefined) for (const one of value) out.push(name, one);
  }
  for (const [name, value] of defaults) {
    if (headers[name] === undefined) out.push(name, value);
  }
  return out;
}
