/** A service's answer on its way to the browser. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { PassThrough, type Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { HOP_BY_HOP } from '../http/request-headers.ts';

/** Headers that belong to the connection to the service, reveal its software, or are written by the gateway itself. */
const DROPPED = new Set([...HOP_BY_HOP, 'server', 'x-powered-by', 'x-request-id']);
/** Compressing a shorter answer saves no packet and costs more than it gains. */
const WORTH_BYTES = 1_024;
/** Answers up to this size are compressed in one piece. */
const WHOLE_BYTES = 16 * 1_024;
const TAKES_PACKED = /\b(?:br|gzip)\b/;
/** The types that `@fastify/compress` compresses; the product's other types are compressed already. */
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
  // The head of an answer of unknown length is sent at once; the head of any other goes with its first bytes.
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
  // No error page is sent here: the head may already be on its way.
  body.once('error', () => reply.raw.destroy());
  void reply.compress(body);
  reply.raw.flushHeaders();
  return body;
}

/**
 * Not for short, compressed or unchangeable answers. An answer of unknown length is an export, which is long. Tokens
 * are in headers, never in cookies, so another site cannot request answers whose size reveals something (BREACH).
 */
function isWorthPacking(status: number, headers: IncomingHttpHeaders): boolean {
  if (status < 200 || status >= 300 || status === 204 || status === 206) return false;
  if (headers['content-encoding'] !== undefined) return false;
  if (!PACKED_TYPES.test(headers['content-type'] ?? '')) return false;
  if (headers['cache-control']?.includes('no-transform') === true) return false;
  return Number(headers['content-length'] ?? WORTH_BYTES) >= WORTH_BYTES;
}
