/**
 * Links to blobs for `<img>` and new tabs, which cannot send a token.
 *
 *   /api/files/<service>/<owner-hash>/<uuid>?v=<viewer>&e=<expiry, epoch seconds>&s=<signature>
 *
 * `v` is the encrypted viewer's id, session and download name, so that a link in a log or browser history reveals
 * none of them. The link is valid while the session is open, which `registerFileRoutes` checks. `s` is an HMAC over
 * service, path, `v` and `e`. Both keys derive from the KEKs, so every process of the service can verify the links
 * of the others, and links stay valid through a rotation while the old KEK is in the ring.
 */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type KekRing } from '../config.ts';
import { BlobError } from '../errors.ts';
import { TAG_BYTES } from '../backends/segments.ts';

const IV_BYTES = 12;
const PREFIX = /^(?:\/api)?\/files\/([^?#]+)$/;

export interface SignOptions {
  /** The user and session that may use the link. The signature covers both, and `verify` returns them. */
  viewerId: string;
  sessionId: string;
  /** Maximum lifetime in seconds. The link lives for at least half of it. */
  ttlS: number;
  filename?: string;
}

export interface SignedPath {
  path: string;
  viewerId: string;
  sessionId: string;
  filename?: string;
  expiresAt: Date;
}

interface LinkKeys {
  mac: Buffer;
  viewer: Buffer;
}

function linkKeys(kek: Buffer): LinkKeys {
  return { mac: deriveKey(kek, 'blob link signature'), viewer: deriveKey(kek, 'blob link viewer') };
}

function macOf(keys: LinkKeys, service: string, path: string, viewer: string, expiry: string): Buffer {
  return createHmac('sha256', keys.mac).update([service, path, viewer, expiry].join('\0')).digest();
}

/**
 * The same viewer, path and expiry give the same token, so that links can be cached; different ones never
 * share an IV.
 */
function encryptViewer(keys: LinkKeys, context: string, text: string): string {
  const iv = createHmac('sha256', keys.viewer).update(`${context}\0${text}`).digest().subarray(0, IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.viewer, iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

function decryptViewer(
  keys: LinkKeys,
  token: string,
): { viewerId: string; sessionId: string; filename?: string } {
  const bytes = Buffer.from(token, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keys.viewer, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  const [viewerId = '', sessionId = '', filename] = JSON.parse(plain.toString('utf8')) as string[];
  return { viewerId, sessionId, filename };
}

export class PathSigner {
  readonly #service: string;
  readonly #current: LinkKeys;
  readonly #all: LinkKeys[];
  readonly #now: () => number;

  constructor(service: string, ring: KekRing, now: () => number = Date.now) {
    this.#service = service;
    this.#current = linkKeys(ring.current.secret);
    this.#all = [...ring.all.values()].map(linkKeys);
    this.#now = now;
  }

  /**
   * Returns the link for the browser. The expiry is rounded to half of `ttlS`, so that calls within that time
   * return the same link and a polling page does not reload its images.
   */
  sign(path: string, { viewerId, sessionId, ttlS, filename }: SignOptions): string {
    const step = Math.max(1, Math.floor(ttlS / 2));
    const expiry = String((Math.floor(this.#now() / 1000 / step) + 2) * step);
    const text = JSON.stringify([viewerId, sessionId, ...(filename === undefined ? [] : [filename])]);
    const viewer = encryptViewer(this.#current, `${path}\0${expiry}`, text);
    const signature = macOf(this.#current, this.#service, path, viewer, expiry).toString('base64url');
    return `/api/files/${this.#service}/${path}?v=${viewer}&e=${expiry}&s=${signature}`;
  }

  /**
   * Verifies a link, with or without `/api` and the service's name in front of the path, since a gateway may
   * strip them. Throws `blob_link_invalid` or `blob_link_expired`.
   */
  verify(link: string): SignedPath {
    const invalid = () => new BlobError('blob_link_invalid', 'The link is not one of ours.');
    const [pathname = '', query = ''] = link.split('?', 2);
    const service = this.#service;
    const named = PREFIX.exec(pathname)?.[1];
    const path = named?.startsWith(`${service}/`) ? named.slice(service.length + 1) : named;
    const params = new URLSearchParams(query);
    const [viewer, expiry, signature] = [params.get('v'), params.get('e'), params.get('s')];
    if (!path || !viewer || !expiry || !signature) throw invalid();
    const signatureBytes = Buffer.from(signature, 'base64url');
    const keys = this.#all.find((candidate) => {
      const expected = macOf(candidate, service, path, viewer, expiry);
      return signatureBytes.length === expected.length && timingSafeEqual(signatureBytes, expected);
    });
    // The content of the link is untrusted until here.
    if (!keys) throw invalid();
    if (Number(expiry) * 1000 <= this.#now())
      throw new BlobError('blob_link_expired', 'The link has expired.');
    return { path, ...decryptViewer(keys, viewer), expiresAt: new Date(Number(expiry) * 1000) };
  }
}
