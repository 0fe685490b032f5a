import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, createBrotliCompress, createGzip, type BrotliCompress, type Gzip } from 'node:zlib';
import { acceptsEncoding } from '../http/encoding.ts';
import type { ServiceHeaders } from './response-headers.ts';

/** Below this a packed answer saves no packet and costs more than it gains. */
const WORTH_BYTES = 1_024;
const TEXT = /^(application\/json|text\/csv)\b/;

type Encoding = 'br' | 'gzip';

/**
 * How an answer of a service is to be packed for this browser; null when it goes through as it is: too short, no text,
 * packed already, or not to be changed. One of unknown length is an export, which is long. Tokens are in headers, never in
 * cookies, so another site cannot have answers made whose size tells it something (BREACH).
 */
export function encodingOf(req: IncomingMessage, status: number, headers: ServiceHeaders): Encoding | null {
  if (req.method === 'HEAD' || status < 200 || status >= 300 || status === 204 || status === 206) return null;
  const { 'content-length': length, 'content-type': type } = headers;
  if (typeof length === 'string' && Number(length) < WORTH_BYTES) return null;
  if (typeof type !== 'string' || !TEXT.test(type)) return null;
  if (headers['content-encoding'] !== undefined) return null;
  if (String(headers['cache-control'] ?? '').includes('no-transform')) return null;
  const accepted = req.headers['accept-encoding'] ?? '';
  if (acceptsEncoding(accepted, 'br')) return 'br';
  return acceptsEncoding(accepted, 'gzip') ? 'gzip' : null;
}

/** The headers of an answer that is packed on its way. */
export function packedHeaders(headers: ServiceHeaders, encoding: Encoding): ServiceHeaders {
  const { 'content-length': _length, etag, vary, ...rest } = headers;
  return {
    ...rest,
    'content-encoding': encoding,
    vary: [vary ?? [], 'accept-encoding'].flat().join(', '),
    // The same content in other bytes.
    ...(typeof etag === 'string' ? { etag: etag.startsWith('W/') ? etag : `W/${etag}` } : {}),
  };
}

/** Packs what is written to it on the way to the browser. */
export function packer(encoding: Encoding, res: ServerResponse): BrotliCompress | Gzip {
  const pack =
    encoding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
      : createGzip({ level: 6 });
  // Only memory could fail it: the answer is then cut, as one whose service went away.
  pack.on('error', () => res.destroy());
  res.on('close', () => pack.destroy());
  pack.pipe(res);
  return pack;
}
