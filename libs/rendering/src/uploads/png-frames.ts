/** Animated PNGs (W3C PNG 3): only the first frame becomes a page. */

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Returns true if a PNG declares more than one frame: an `acTL` chunk before the pixels, with their number.
 */
export function isAnimated(bytes: Uint8Array): boolean {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!png.subarray(0, 8).equals(SIGNATURE)) return false;
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return png.readUInt32BE(at + 8) > 1;
    if (type === 'IDAT') return false;
  }
  return false;
}
