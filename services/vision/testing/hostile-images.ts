/** Files that look like pictures and are not, or are more than they seem. */
import { crc32, deflateSync } from 'node:zlib';
import { faceImage } from '@karaar/testing/faces/faces';
import sharp from 'sharp';

function pngOf(width: number, height: number, depthAndColour: [number, number], data: Buffer): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), content]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(content.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([...depthAndColour, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(data)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG that says it has so many pixels and holds none of them. */
export function pngClaiming(width: number, height: number): Buffer {
  return pngOf(width, height, [8, 2], Buffer.alloc(64));
}

/** A PNG bomb: a file of some kilobytes that truly holds so many pixels (of one bit). */
export function pngBomb(width: number, height: number): Buffer {
  return pngOf(width, height, [1, 0], Buffer.alloc((Math.ceil(width / 8) + 1) * height));
}

/** Two frames, 160 × 120 each. */
export async function animatedWebp(): Promise<Buffer> {
  const frame = async (seed: number) =>
    sharp(await faceImage({ seed, width: 160, height: 120 }))
      .raw()
      .toBuffer();
  const frames = Buffer.concat([await frame(1), await frame(2)]);
  return sharp(frames, { raw: { width: 160, height: 240, channels: 3, pageHeight: 120 } })
    .webp()
    .toBuffer();
}

/** A whole photo with another file behind its end: a page with a script, a ZIP, a PDF. */
export async function photoFollowedBy(what: string): Promise<Buffer> {
  return Buffer.concat([await faceImage(), Buffer.from(what)]);
}

/** 16 bits per channel, with transparency. */
export async function deepPng(): Promise<Buffer> {
  return sharp(await faceImage({ format: 'png' }))
    .ensureAlpha()
    .toColourspace('rgb16')
    .png()
    .toBuffer();
}
