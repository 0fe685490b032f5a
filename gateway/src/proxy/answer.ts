import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { PassThrough, type Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { HOP_BY_HOP } from '../http/request-headers.ts';

/**
 * Headers that belong to the connection to the service, reveal its software, or are written by the gateway.
 */
const DROPPED = new Set([...HOP_BY_HOP, 'server', 'x-powered-by', 'x-request-id']);
/** Compressing a shorter answer saves no packet. */
const WORTH_BYTES = 1_024;
const WHOLE_BYTES = 16 * 1_024;
const TAKES_PACKED = /\b(?:br|gzip)\b/;
/** The types that `@fastify/compress` compresses; the product's other types are compressed already. */
export const PACKED_TYPES = /^(application\/json|text\/csv)\b/;

/**
 * Begins an answer with its status and headers, which override our defaults.
 * @returns the stream for its body, with back-pressure from the reader
 */
export function beginAnswer(reply: FastifyReply, status: number, headers: IncomingHttpHeaders): Writable {
  const { raw: res, request } = reply;
  const sent = reply.getHeaders() as OutgoingHttpHeaders;
  sent['cache-control'] = 'no-store';
  for (const name in headers) if (!DROPPED.has(name)) sent[name] = headers[name];
  sent['x-request-id'] = request.id;
  const takesPacked =
    request.method !== 'HEAD' && TAKES_PACKED.test(String(request.headers['accept-encoding']));
  if (takesPacked && isWorthPacking(status, headers)) return pack(reply, status, sent);
  reply.hijack();
  res.writeHead(status, sent);
  // The head of an answer of unknown length is sent at once; otherwise it goes with the first bytes.
  if (headers['content-length'] === undefined) res.flushHeaders();
  return res;
}

function pack(reply: FastifyReply, status: number, headers: OutgoingHttpHeaders): Writable {
  const { etag } = headers;
  // A compressed answer has other bytes, so its ETag becomes a weak one.
  if (typeof etag === 'string' && !etag.startsWith('W/')) headers['etag'] = `W/${etag}`;
  reply.code(status).headers(headers);
  const body = new PassThrough();
  if (Number(headers['content-length']) <= WHOLE_BYTES) {
    body.once('finish', () => reply.compress(body.read() as Buffer));
    return body;
  }
  // No error page is sent here, because the head may already have been sent.
  body.once('error', () => reply.raw.destroy());
  void reply.compress(body);
  reply.raw.flushHeaders();
  return body;
}

/**
 * Returns false for short, compressed or unchangeable answers. An answer of unknown length is an export,
 * which is long. Tokens are in headers, not in cookies, so another site cannot request answers to learn from
 * their size (BREACH).
 */
function isWorthPacking(status: number, headers: IncomingHttpHeaders): boolean {
  if (status < 200 || status >= 300 || status === 204 || status === 206) return false;
  if (headers['content-encoding'] !== undefined) return false;
  if (!PACKED_TYPES.test(headers['content-type'] ?? '')) return false;
  if (headers['cache-control']?.includes('no-transform') === true) return false;
  return Number(headers['content-length'] ?? WORTH_BYTES) >= WORTH_BYTES;
}
