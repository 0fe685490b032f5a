import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { isAnimated } from './png-frames.ts';

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}
const u32 = (...values: number[]): Buffer =>
  Buffer.concat(
    values.map((value) => Buffer.from(Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value))),
  );
const png = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([u32(1, 1), Buffer.from([8, 0, 0, 0, 0])])),
    ...chunks,
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);

it('detects an animation, whatever precedes its number of frames', () => {
  expect(isAnimated(png(chunk('tEXt', Buffer.from('Title\0x')), chunk('acTL', u32(3, 0))))).toBe(true);
});

it('does not take a single picture, or data that only resembles an animation, for an animation', async () => {
  expect(isAnimated(png())).toBe(false);
  expect(isAnimated(png(chunk('acTL', u32(1, 0))))).toBe(false);
  expect(isAnimated(png(chunk('tEXt', Buffer.from('acTL'))))).toBe(false);
  expect(isAnimated(png().subarray(0, 20))).toBe(false);
  const pixel = sharp({ create: { width: 2, height: 2, channels: 3, background: '#fff' } });
  expect(isAnimated(await pixel.clone().png().toBuffer())).toBe(false);
  expect(isAnimated(await pixel.jpeg().toBuffer())).toBe(false);
});
