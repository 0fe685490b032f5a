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

/** Returns a PNG that claims a size and holds no pixels. */
export function pngClaiming(width: number, height: number): Buffer {
  return pngOf(width, height, [8, 2], Buffer.alloc(64));
}

/** Returns a PNG bomb: some kilobytes that decode to a picture of this size (1 bit per pixel). */
export function pngBomb(width: number, height: number): Buffer {
  return pngOf(width, height, [1, 0], Buffer.alloc((Math.ceil(width / 8) + 1) * height));
}

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

/** Returns a photo followed by other data, such as a script, a ZIP or a PDF. */
export async function photoFollowedBy(what: string): Promise<Buffer> {
  return Buffer.concat([await faceImage(), Buffer.from(what)]);
}

export async function deepPng(): Promise<Buffer> {
  return sharp(await faceImage({ format: 'png' }))
    .ensureAlpha()
    .toColourspace('rgb16')
    .png()
    .toBuffer();
}
