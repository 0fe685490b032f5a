const encoder = new TextEncoder();

/** Encodes as UTF-8; an unpaired surrogate becomes U+FFFD. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/**
 * Decodes UTF-8.
 * @throws TypeError for invalid bytes
 */
export const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Returns true for the same bytes; its time depends on them, so it is for public values only. */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Encodes as lower-case hex, two digits per byte. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @throws RangeError for a text that is not the hex of whole bytes */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) throw new RangeError('not hex');
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}

/** Encodes as base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * Decodes canonical base64 with padding.
 * @throws RangeError for anything else
 */
export function fromBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw new RangeError('not base64');
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (toBase64(bytes) !== text) throw new RangeError('not canonical base64');
  return bytes;
}

/** Encodes base64url without padding. */
export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/**
 * Decodes canonical base64url.
 * @throws RangeError for anything else
 */
export function fromBase64url(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new RangeError('not base64url');
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return fromBase64(standard.padEnd(Math.ceil(text.length / 4) * 4, '='));
}
