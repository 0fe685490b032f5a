import type { FastifyReply, FastifyRequest } from 'fastify';

const LISTED = /(?:W\/)?"[^"]*"/g;
const bare = (tag: string): string => tag.replace(/^W\//, '');

/** Returns true if a list of tags contains this one. A compressing proxy may have made the tag weak. */
function names(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  return (list.match(LISTED) ?? []).some((tag) => bare(tag) === bare(etag));
}

/**
 * Sets the response's ETag, and answers 304 if the client already has it.
 * @param etag with its quotes
 * @returns true if the response was sent
 */
export function isNotModified(req: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const known = req.headers['if-none-match'];
  if (known === undefined || !names(known, etag)) return false;
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache');
  void reply.code(304).send();
  return true;
}

/** Compares the client's `If-Match` to the current tag; `absent` without the header. */
export function ifMatch(req: FastifyRequest, etag: string): 'absent' | 'current' | 'stale' {
  const header = req.headers['if-match'];
  if (header === undefined) return 'absent';
  return names(header, etag) ? 'current' : 'stale';
}
