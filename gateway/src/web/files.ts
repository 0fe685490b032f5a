import { stat } from 'node:fs/promises';
import { join } from 'node:path';

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
  // What PDF.js fetches: encodings and fonts.
  bcmap: 'application/octet-stream',
  pfb: 'application/octet-stream',
  ttf: 'font/ttf',
  webmanifest: 'application/manifest+json',
};

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

/** A file as one browser gets it. */
export type FoundFile = { folder: string; path: string; headers: Readonly<Record<string, string>> };

/**
 * Finds a file of a folder, in the precompressed form that the browser takes.
 * Hashed names may be kept for ever; everything else is asked about each time.
 * @param accepted `Accept-Encoding` @returns undefined when there is no such file
 */
export async function findFile(
  folder: string,
  path: string,
  accepted: string,
): Promise<FoundFile | undefined> {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  const plainMs = type === undefined ? undefined : await changedMs(join(folder, path));
  if (type === undefined || plainMs === undefined) return undefined;
  const form = await packed(join(folder, path), plainMs, accepted);
  return {
    folder,
    path: path + (form?.suffix ?? ''),
    headers: {
      'content-type': type,
      vary: 'accept-encoding',
      'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(form && { 'content-encoding': form.encoding }),
    },
  };
}

async function packed(path: string, plainMs: number, accepted: string) {
  for (const [encoding, suffix] of ENCODINGS) {
    if (!accepts(accepted, encoding)) continue;
    const ms = await changedMs(path + suffix);
    // A packed form that an older build left behind is not this file.
    if (ms !== undefined && ms > plainMs - PACKED_BEFORE_MS) return { encoding, suffix };
  }
  return undefined;
}

/** When a file was written; undefined when there is none. */
async function changedMs(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? found.mtimeMs : undefined;
}

/** Does an `Accept-Encoding` header take this encoding? */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...params] = part.trim().toLowerCase().split(';');
    return name.trim() === encoding && !params.some((param) => /^\s*q=0(\.0*)?\s*$/.test(param));
  });
}
