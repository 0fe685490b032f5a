/** Files that look like pictures and are not, or are more than they seem. */
import { crc32, deflateSync } from 'node:zlib';
import { faceImage } from '@karaar/testing/faces';
import sharp from 'sharp';

/** A PNG that says it has so many pixels and holds none of them. */
export function pngClaiming(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
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
