import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blankImage, faceImage } from '@karaar/testing/faces/faces';
import sharp from 'sharp';
import { bandsOf, bitsOf, likenessOf, SIMILAR_BITS } from './likeness.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function of(image: Buffer): Promise<string | null> {
  const path = join(folder, `${files++}`);
  await writeFile(path, image);
  return likenessOf(path);
}
const apart = (a: string | null, b: string | null): number =>
  [...(a ?? '')].filter((bit, i) => bit !== b?.[i]).length;

it('a likeness stays nearly the same in another size, format and quality', async () => {
  const face = await faceImage({ width: 1280, height: 720, format: 'png' });
  const original = await of(face);
  expect(original).toMatch(/^[01]{64}$/);
  for (const again of [
    await sharp(face).jpeg({ quality: 40 }).toBuffer(),
    await sharp(face).resize(400).webp({ quality: 60 }).toBuffer(),
  ])
    expect(apart(original, await of(again))).toBeLessThanOrEqual(SIMILAR_BITS);
});

it('a likeness stays nearly the same in a format with another decoder', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const face = await faceImage({ seed, width: 495, height: 371, size: 0.6, format: 'jpeg' });
    const original = await of(face);
    for (const again of [
      await sharp(face).webp({ quality: 60 }).toBuffer(),
      await sharp(face).resize(160).jpeg({ quality: 70 }).toBuffer(),
    ])
      expect(apart(original, await of(again))).toBeLessThanOrEqual(SIMILAR_BITS - 1);
  }
});

it('a likeness differs between photos of different people and framings', async () => {
  const one = await of(await faceImage({ seed: 1 }));
  for (const other of [
    { seed: 9, skin: 'dark', x: 0.35 },
    { seed: 1, size: 0.9 },
  ] as const)
    expect(apart(one, await of(await faceImage(other)))).toBeGreaterThan(SIMILAR_BITS);
});

it('a blank picture or an unreadable file has no likeness', async () => {
  expect(await of(await blankImage())).toBeNull();
  expect(await of(Buffer.from('no picture'))).toBeNull();
  expect(bitsOf(new Uint8Array(72))).toBeNull();
});

it('likenesses that may count as the same photo share at least one band', () => {
  const bits = '01'.repeat(32);
  for (let from = 0; from <= 60; from++) {
    const flipped = [...bits].map((bit, i) =>
      i >= from && i < from + SIMILAR_BITS ? (bit === '1' ? '0' : '1') : bit,
    );
    const shared = bandsOf([flipped.join('')]).filter((band) => bandsOf([bits]).includes(band));
    expect(shared.length).toBeGreaterThan(0);
  }
  const spread = [...bits].map((bit, i) => ([3, 20, 33, 60].includes(i) ? (bit === '1' ? '0' : '1') : bit));
  expect(bandsOf([spread.join('')]).some((band) => bandsOf([bits]).includes(band))).toBe(true);
  expect(bandsOf([null])).toEqual([]);
});
