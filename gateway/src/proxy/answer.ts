/** A service's answer on its way to the browser. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { PassThrough, type Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { HOP_BY_HOP } from './request-headers.ts';

/** Belongs to the connection to the service, says what runs there, or is written by the gateway itself. */
const DROPPED = new Set([...HOP_BY_HOP, 'server', 'x-powered-by', 'x-request-id']);
/** Below this a packed answer saves no packet and costs more than it gains. */
const WORTH_BYTES = 1_024;
/** Up to this an answer is packed when it is whole. */
const WHOLE_BYTES = 16 * 1_024;
const TAKES_PACKED = /\b(?:br|gzip)\b/;
/** What `@fastify/compress` packs; the rest of the product's types are packed already. */
export const PACKED_TYPES = /^(application\/json|text\/csv)\b/;

/**
 * Begins an answer: its status, and its headers over our defaults.
 * @returns where its body goes, at the pace of its reader
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
  // Its reader learns at once that an answer of unknown length has begun; another goes with its first bytes.
  if (headers['content-length'] === undefined) res.flushHeaders();
  return res;
}

function pack(reply: FastifyReply, status: number, headers: OutgoingHttpHeaders): Writable {
  const { etag } = headers;
  // The same content in other bytes.
  if (typeof etag === 'string' && !etag.startsWith('W/')) headers['etag'] = `W/${etag}`;
  reply.code(status).headers(headers);
  const body = new PassThrough();
  if (Number(headers['content-length']) <= WHOLE_BYTES) {
    body.once('finish', () => reply.compress(body.read() as Buffer));
    return body;
  }
  // Not by an error page: the head may be on its way.
  body.once('error', () => reply.raw.destroy());
  void reply.compress(body);
  reply.raw.flushHeaders();
  return body;
}

/**
 * Not what is short, packed already, or not to be changed. One of unknown length is an export, which is long. Tokens are
 * in headers, never in cookies, so another site cannot have answers made whose size tells it something (BREACH).
 */
function isWorthPacking(status: number, headers: IncomingHttpHeaders): boolean {
  if (status < 200 || status >= 300 || status === 204 || status === 206) return false;
  if (headers['content-encoding'] !== undefined) return false;
  if (!PACKED_TYPES.test(headers['content-type'] ?? '')) return false;
  if (headers['cache-control']?.includes('no-transform') === true) return false;
  return Number(headers['content-length'] ?? WORTH_BYTES) >= WORTH_BYTES;
}
