import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { blankImage, faceImage, fakeCameraMjpeg, idCardPng, noiseImage, signaturePng } from './faces.ts';

/**
 * Tests sizes, formats and reproducibility; the vision service's own tests check that it finds these faces.
 */
describe('drawn images', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('have the requested format %s and size', async (format) => {
    const {
      width,
      height,
      format: found,
    } = await sharp(await faceImage({ width: 320, height: 240, format })).metadata();
    expect([width, height, found]).toEqual([320, 240, format]);
  });

  it('are the same for the same options and differ by seed, skin and eyes', async () => {
    const draw = (options: Parameters<typeof faceImage>[0]) =>
      faceImage({ width: 160, height: 120, ...options });
    const first = await draw({ seed: 4 });
    expect((await draw({ seed: 4 })).equals(first)).toBe(true);
    for (const other of [{ seed: 6 }, { seed: 4, skin: 'dark' }, { seed: 4, eyes: 'closed' }] as const) {
      expect((await draw(other)).equals(first)).toBe(false);
    }
  });

  it('can be under- and over-exposed', async () => {
    const mean = async (exposure: number): Promise<number> =>
      (await sharp(await faceImage({ exposure })).stats()).channels[1]?.mean ?? 0;
    expect(await mean(0.2)).toBeLessThan(40);
    expect(await mean(2.5)).toBeGreaterThan(220);
  });

  it('include blank and noise pictures', async () => {
    const spread = async (image: Buffer): Promise<number> =>
      (await sharp(image).stats()).channels[0]?.stdev ?? -1;
    expect(await spread(await blankImage())).toBeLessThan(1);
    expect(await spread(await noiseImage())).toBeGreaterThan(60);
    expect((await noiseImage({ seed: 3 })).equals(await noiseImage({ seed: 3 }))).toBe(true);
  });

  it('include a signature of the size of the signature pad, and an ID card', async () => {
    const signature = await sharp(await signaturePng()).metadata();
    expect([signature.width, signature.height, signature.hasAlpha]).toEqual([600, 300, true]);
    expect((await signaturePng(2)).equals(await signaturePng(1))).toBe(false);
    expect((await sharp(await idCardPng()).metadata()).format).toBe('png');
  });
});

describe('the fake camera file', () => {
  it('is a sequence of complete baseline JPEG frames of one size that differ a little', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'camera-'));
    try {
      const path = join(folder, 'camera.mjpeg');
      await fakeCameraMjpeg(path, { width: 640, height: 480, frames: 3 });
      const frames = splitJpegs(await readFile(path));
      expect(frames).toHaveLength(3);
      for (const frame of frames) {
        const { width, height, isProgressive } = await sharp(frame).metadata();
        expect([width, height, isProgressive]).toEqual([640, 480, false]);
      }
      expect(frames[0]?.equals(frames[1] ?? Buffer.alloc(0))).toBe(false);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Splits concatenated JPEG files at the start-of-image marks. */
function splitJpegs(bytes: Buffer): Buffer[] {
  const startOfImage = Buffer.from([0xff, 0xd8, 0xff]);
  const starts: number[] = [];
  for (let at = bytes.indexOf(startOfImage); at >= 0; at = bytes.indexOf(startOfImage, at + 3))
    starts.push(at);
  return starts.map((start, i) => bytes.subarray(start, starts[i + 1] ?? bytes.length));
}
