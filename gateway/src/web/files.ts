import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { acceptsEncoding } from '../http/encoding.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  tflite: 'application/octet-stream',
  webmanifest: 'application/manifest+json',
};

const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** A name with a content hash in it: what it holds never changes. */
const HASHED = /\.[0-9a-f]{8,}\.[a-z0-9]+$/;
/** Builds write a file and its packed form in any order, but at one time. */
const PACKED_BEFORE_MS = 10_000;
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * The path below a folder that a URL path means, or null when it means none: an escape that is not
 * valid, a step upwards (in any spelling), a hidden file, a NUL or a backslash.
 */
export function safePath(urlPath: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.some((part) => part.startsWith('.'))) return null;
  return parts.join('/');
}

/** Does this URL path name a file (a dot in its last part), rather than a screen of the app? */
export function namesFile(urlPath: string): boolean {
  return urlPath.slice(urlPath.lastIndexOf('/') + 1).includes('.');
}

/**
 * Serves one file of a folder with type, validators and the precompressed form that the browser takes.
 * Hashed names may be kept for ever; everything else is asked about each time.
 * @returns false when there is no such file (nothing was answered)
 */
export async function serveFile(
  req: IncomingMessage,
  res: ServerResponse,
  folder: string,
  path: string,
): Promise<boolean> {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  if (type === undefined) return false;
  const found = await pick(join(folder, path), req.headers['accept-encoding'] ?? '');
  if (found === null) return false;

  const etag = `"${createHash('sha1').update(`${found.size}-${found.mtimeMs}-${found.encoding}`).digest('base64url')}"`;
  res.setHeader('content-type', type);
  res.setHeader('vary', 'accept-encoding');
  res.setHeader('etag', etag);
  res.setHeader('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (matches(req.headers['if-none-match'], etag)) {
    res.writeHead(304).end();
    return true;
  }
  if (found.encoding !== '') res.setHeader('content-encoding', found.encoding);
  res.setHeader('content-length', found.size);
  res.writeHead(200);
  if (req.method === 'HEAD') {
    res.end();
    return true;
  }
  await pipeline(createReadStream(found.path), res);
  return true;
}

type Found = { path: string; size: number; mtimeMs: number; encoding: string };

async function pick(path: string, accepted: string): Promise<Found | null> {
  const plain = await fileStat(path);
  if (plain === null) return null;
  for (const [encoding, suffix] of ENCODINGS) {
    if (!acceptsEncoding(accepted, encoding)) continue;
    const packed = await fileStat(path + suffix);
    // A packed form that an older build left behind is not this file.
    if (packed !== null && packed.mtimeMs > plain.mtimeMs - PACKED_BEFORE_MS)
      return { path: path + suffix, ...packed, encoding };
  }
  return { path, ...plain, encoding: '' };
}

async function fileStat(path: string): Promise<{ size: number; mtimeMs: number } | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? { size: found.size, mtimeMs: found.mtimeMs } : null;
  } catch (error) {
    if (NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*');
}
