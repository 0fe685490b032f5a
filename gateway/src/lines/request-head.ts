/** What is sent to a service. */
export type LineRequest = {
  method: string;
  /** Path and query. */
  path: string;
  /** Flat name/value pairs, without `Host`, `Connection` and `Transfer-Encoding`; `Content-Length` if the sender named one. */
  headers: readonly string[];
  /** Whether a body follows. */
  hasBody: boolean;
};

/** A request that would not be one on the wire. */
export class InvalidRequest extends Error {}

const TARGET = /^\/[\x21-\xff]*$/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Names that nearly every request has: known to be names. */
const USUAL = new Set([
  ...[
    'x-request-id',
    'traceparent',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'authorization',
  ],
  ...[
    'accept',
    'accept-encoding',
    'accept-language',
    'cache-control',
    'content-length',
    'content-type',
    'cookie',
  ],
  ...['if-none-match', 'origin', 'pragma', 'referer', 'user-agent', 'sec-fetch-dest', 'sec-fetch-mode'],
  ...['sec-fetch-site', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'priority', 'idempotency-key'],
]);
const MEANS_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The head of a request as it goes over the line. Node's parser has let only such names and values in; it is checked once
 * more here because a line break that slipped through would be a second request.
 *
 * @param host the service's own name
 * @throws InvalidRequest
 */
export function requestHead({ method, path, headers, hasBody }: LineRequest, host: string): string {
  if (!TARGET.test(path))
    throw new InvalidRequest('The path of a request has a character that is none of a path');
  if (!NAME.test(method)) throw new InvalidRequest('The method of a request is none');
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  let hasLength = false;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    if ((!USUAL.has(name) && !NAME.test(name)) || !VALUE.test(value))
      throw new InvalidRequest('A header of a request has a character that is none of a header');
    if (name === 'content-length') hasLength = true;
    head += `${name}: ${value}\r\n`;
  }
  if (hasBody && !hasLength) head += 'transfer-encoding: chunked\r\n';
  // Said where a body would be expected, so that nobody waits for one.
  else if (!hasBody && MEANS_BODY.has(method)) head += 'content-length: 0\r\n';
  return `${head}\r\n`;
}
