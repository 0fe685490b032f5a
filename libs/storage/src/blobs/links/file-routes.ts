import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { startWorker } from '@karaar/base/worker';
import { isBlobError } from '../errors.ts';
import type { SignedPath } from './signed-path.ts';
import type { BlobStore } from '../store.ts';

/** Types that the browser may show inline; all others are downloads, whatever type they claim. */
const INLINE = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/heic',
  'application/pdf',
]);

export interface FileRouteOptions {
  /**
   * Returns true if the link's session is open. Called at each opening of the link. Throws if that cannot be
   * checked.
   */
  sessionLives: (sessionId: string) => Promise<boolean>;
  /**
   * Returns true if this viewer may still see the file. Called at each opening, so that a removed party loses
   * access before the link expires. False gives 403.
   */
  authorize: (link: SignedPath, req: FastifyRequest) => Promise<boolean>;
}

/**
 * Returns the header value as in RFC 6266: an ASCII name for old clients and the real name (RFC 8187) for all
 * others.
 */
export function contentDisposition(type: 'inline' | 'attachment', filename?: string): string {
  if (!filename) return type;
  const plain = filename.replace(/[^\x20-\x7e]|["\\%/]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * Parses one range of `Range: bytes=…`. Returns undefined if the header is absent or to be ignored (several
 * ranges or another unit; RFC 9110 allows the whole file then), 'unsatisfiable' if it is outside the file.
 */
function parseRange(header: string | undefined, size: number) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? ('unsatisfiable' as const) : { start, end };
}

function refuse(reply: FastifyReply, status: number, code: string, detail: string): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send({ detail, code });
}

/** The content of a path never changes, so the path is its ETag. */
const etagOf = (link: SignedPath): string => `"${link.path.split('/').at(-1)}"`;

// The browser may store the file but must revalidate it, so that its copy is not shown after the session or
// permission ends.
const REVALIDATED = 'private, no-cache';

function setHeaders(reply: FastifyReply, mime: string, link: SignedPath): void {
  const type = INLINE.has(mime) ? 'inline' : 'attachment';
  reply.headers({
    'content-type': mime,
    'content-disposition': contentDisposition(type, link.filename),
    'x-content-type-options': 'nosniff',
    'content-security-policy': `sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'`,
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': REVALIDATED,
    etag: etagOf(link),
    'accept-ranges': 'bytes',
  });
}

async function serve(store: BlobStore, link: SignedPath, req: FastifyRequest, reply: FastifyReply) {
  if (req.headers['if-none-match']?.split(',').some((tag) => tag.trim() === etagOf(link)))
    return reply
      .code(304)
      .headers({ 'cache-control': REVALIDATED, etag: etagOf(link) })
      .send();
  if (req.method === 'HEAD') {
    const { size, mime } = await store.stat(link.path);
    setHeaders(reply, mime, link);
    return reply.header('content-length', size).send();
  }
  if (req.headers.range === undefined) {
    const { stream, size, mime } = await store.open(link.path);
    setHeaders(reply, mime, link);
    return reply.header('content-length', size).send(stream);
  }
  const { size } = await store.stat(link.path);
  const range = parseRange(req.headers.range, size);
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    return refuse(reply, 416, 'range_not_satisfiable', 'The file does not have that part.');
  }
  const { stream, mime } = await store.open(link.path, { range });
  setHeaders(reply, mime, link);
  if (!range) return reply.header('content-length', size).send(stream);
  return reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    .header('content-length', range.end - range.start + 1)
    .send(stream);
}

const SWEEP_EVERY_MS = 3_600_000;

/**
 * Removes leftovers of crashed writers at the start and then hourly; a failed sweep is logged, and the next
 * one still runs.
 */
function keepSwept(app: FastifyInstance, store: BlobStore): void {
  const onError = (err: unknown) => app.log.warn({ err }, 'leftovers of blobs could not be swept');
  const sweep = async () => void (await store.sweep());
  const sweeper = startWorker({ restMs: SWEEP_EVERY_MS, restsFirst: true, turn: sweep, onError });
  app.addHook('onReady', () => sweep().catch(onError));
  app.addHook('onClose', () => sweeper.stop());
}

/**
 * Serves a store's blobs to holders of a link from `store.signPath`, at `GET /files/<service>/<path>` and
 * `GET /files/<path>`, because a gateway may strip either part of `/api/files/<service>/<path>`. Each opening
 * checks session and permission (ADR 0056). Invalid or expired link: 403; closed session: 401; no permission:
 * 403; missing blob: 404; all as `{detail, code}`. Also sweeps the store while the app runs.
 */
export function registerFileRoutes(app: FastifyInstance, store: BlobStore, options: FileRouteOptions): void {
  keepSwept(app, store);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    handler: async (req, reply) => {
      let link: SignedPath;
      try {
        link = store.verifySignedPath(req.url);
      } catch (error) {
        if (isBlobError(error, 'blob_link_expired'))
          return refuse(
            reply,
            403,
            'link_expired',
            'This link has expired. Reload the page to get a new one.',
          );
        if (isBlobError(error, 'blob_link_invalid'))
          return refuse(reply, 403, 'link_invalid', 'This link is not valid.');
        throw error;
      }
      if (!(await options.sessionLives(link.sessionId)))
        return refuse(reply, 401, 'session_revoked', 'You have been signed out. Please sign in again.');
      if (!(await options.authorize(link, req)))
        return refuse(reply, 403, 'file_forbidden', 'You may not see this file.');
      try {
        return await serve(store, link, req, reply);
      } catch (error) {
        if (isBlobError(error, 'blob_not_found') || isBlobError(error, 'blob_bad_path'))
          return refuse(reply, 404, 'file_not_found', 'This file does not exist any more.');
        throw error;
      }
    },
  });
}
