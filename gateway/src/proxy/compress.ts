import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, createBrotliCompress, createGzip, type BrotliCompress, type Gzip } from 'node:zlib';
import { acceptsEncoding } from '../http/encoding.ts';
import { headerOf, type AnswerHeaders } from '../lines/answer-head.ts';

/** Below this a packed answer saves no packet and costs more than it gains. */
const WORTH_BYTES = 1_024;
const TEXT = /^(application\/json|text\/csv)\b/;

type Encoding = 'br' | 'gzip';

/**
 * How an answer of a service is to be packed for this browser; null when it goes through as it is: too short, no text,
 * packed already, or not to be changed. One of unknown length is an export, which is long. Tokens are in headers, never in
 * cookies, so another site cannot have answers made whose size tells it something (BREACH).
 */
export function encodingOf(
  req: IncomingMessage,
  status: number,
  headers: Readonly<AnswerHeaders>,
): Encoding | null {
  const accepted = req.headers['accept-encoding'];
  if (accepted === undefined) return null;
  if (req.method === 'HEAD' || status < 200 || status >= 300 || status === 204 || status === 206) return null;
  const length = headerOf(headers, 'content-length');
  if (length !== undefined && Number(length) < WORTH_BYTES) return null;
  if (!TEXT.test(headerOf(headers, 'content-type') ?? '')) return null;
  if (headerOf(headers, 'content-encoding') !== undefined) return null;
  if (valuesOf(headers, 'cache-control').some((value) => value.includes('no-transform'))) return null;
  if (acceptsEncoding(accepted, 'br')) return 'br';
  return acceptsEncoding(accepted, 'gzip') ? 'gzip' : null;
}

/** The headers of an answer that is packed on its way. */
export function packedHeaders(headers: Readonly<AnswerHeaders>, encoding: Encoding): AnswerHeaders {
  const out: AnswerHeaders = ['content-encoding', encoding];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    if (name === 'content-length' || name === 'vary') continue;
    // The same content in other bytes.
    out.push(name, name === 'etag' && !value.startsWith('W/') ? `W/${value}` : value);
  }
  out.push('vary', [...valuesOf(headers, 'vary'), 'accept-encoding'].join(', '));
  return out;
}

function valuesOf(headers: Readonly<AnswerHeaders>, name: string): string[] {
  return headers.filter((_value, at) => at % 2 === 1 && headers[at - 1] === name);
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
