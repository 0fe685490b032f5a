/** Entity tags of answers (RFC 9110 §8.8, §13.1). */
import type { FastifyReply, FastifyRequest } from 'fastify';

const LISTED = /(?:W\/)?"[^"]*"/g;
const bare = (tag: string): string => tag.replace(/^W\//, '');

/** Whether a list of tags names this one. A proxy that compresses answers may have made the tag weak. */
function names(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  return (list.match(LISTED) ?? []).some((tag) => bare(tag) === bare(etag));
}

/**
 * Tags the answer, and answers 304 by itself when the client has it already.
 * @param etag with its quotes @returns true when the answer was sent
 */
export function isNotModified(req: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const known = req.headers['if-none-match'];
  if (known === undefined || !names(known, etag)) return false;
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache');
  void reply.code(304).send();
  return true;
}

/** How the client's `If-Match` compares to the current tag; `absent` without the header. */
export function ifMatch(req: FastifyRequest, etag: string): 'absent' | 'current' | 'stale' {
  const wanted = req.headers['if-match'];
  if (wanted === undefined) return 'absent';
  return names(wanted, etag) ? 'current' : 'stale';
}
