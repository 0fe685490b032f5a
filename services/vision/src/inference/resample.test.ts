import type { Size } from '@karaar/faces/geometry';
import sharp from 'sharp';
import type { Picture } from './picture.ts';
import { reduceTo } from './resample.ts';

function pictureOf({ width, height }: Size): Picture {
  let state = 7;
  const noise = (): number => (state = (state * 16_807) % 2_147_483_647) % 40;
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    const edge = ((x >> 4) + (y >> 3)) % 2 === 1 ? 215 : 0;
    return [edge, (x * 200) / width + noise(), (edge + noise()) / 2][i % 3] ?? 0;
  });
  return { rgb, width, height };
}

describe('a reduced picture', () => {
  it.each([
    { from: { width: 288, height: 162 }, to: { width: 144, height: 81 }, kernel: 'lanczos' },
    { from: { width: 144, height: 81 }, to: { width: 72, height: 41 }, kernel: 'lanczos' },
    { from: { width: 384, height: 216 }, to: { width: 192, height: 108 }, kernel: 'linear' },
    { from: { width: 251, height: 384 }, to: { width: 84, height: 128 }, kernel: 'linear' },
    { from: { width: 384, height: 288 }, to: { width: 70, height: 53 }, kernel: 'linear' },
    { from: { width: 5, height: 300 }, to: { width: 2, height: 1 }, kernel: 'lanczos' },
  ] as const)('from $from to $to equals the result of libvips', async ({ from, to, kernel }) => {
    const picture = pictureOf(from);
    const theirs = await sharp(picture.rgb, { raw: { ...from, channels: 3 } })
      .resize(to.width, to.height, { fit: 'fill', kernel: kernel === 'lanczos' ? 'lanczos3' : kernel })
      .raw()
      .toBuffer();
    const { rgb } = reduceTo(picture, to.width, to.height, kernel);
    const differences = rgb.map((value, i) => Math.abs(value - (theirs[i] ?? 0)));
    expect(rgb).toHaveLength(theirs.length);
    // libvips shrinks in two steps and rounds after each, so single values may differ by two.
    expect(Math.max(...differences)).toBeLessThanOrEqual(2);
    expect(differences.reduce((sum, one) => sum + one, 0) / rgb.length).toBeLessThan(0.4);
  });

  it('stays uniform if it was uniform, also in white and black', () => {
    for (const value of [0, 97, 255]) {
      const flat = { width: 61, height: 47, rgb: new Uint8Array(61 * 47 * 3).fill(value) };
      expect(new Set(reduceTo(flat, 30, 24, 'lanczos').rgb)).toEqual(new Set([value]));
    }
  });

  it('is never enlarged', () => {
    expect(() => reduceTo(pictureOf({ width: 20, height: 20 }), 21, 10, 'linear')).toThrow(RangeError);
  });
});
