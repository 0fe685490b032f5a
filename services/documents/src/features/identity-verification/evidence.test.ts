import { faceImage, idCardPng, signaturePng } from '@karaar/testing/faces/faces';
import sharp from 'sharp';
import { inkOf, spreadOf } from './evidence.ts';

/** The limits of `requireReadable`. */
const [INK, SPREAD] = [24, 3];

const png = (body: string, [width, height] = [600, 300]): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`),
  )
    .png()
    .toBuffer();
const WHITE = '<rect width="100%" height="100%" fill="#fff"/>';
const line = (ink: string, d = 'M100 150L180 140'): string =>
  `<path d="${d}" stroke="${ink}" stroke-width="2" fill="none"/>`;
const paper = (body: string): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><defs><linearGradient id="g">
<stop offset="0" stop-color="#f4f0e6"/><stop offset="1" stop-color="#a9a294"/></linearGradient></defs>
<rect width="1600" height="900" fill="url(#g)"/>${body}</svg>`),
  )
    .composite([
      {
        input: {
          create: {
            width: 1600,
            height: 900,
            channels: 3,
            background: '#000',
            noise: { type: 'gaussian', mean: 128, sigma: 12 },
          },
        },
        blend: 'soft-light',
      },
    ])
    .jpeg({ quality: 60 })
    .toBuffer();

describe('ink', () => {
  it.each([
    ['a drawn signature', signaturePng()],
    ['a short line of 80 of 600 pixels', png(WHITE + line('#000'))],
    ['blue ink on transparent ground', png(line('#1b2a6b', 'M100 200Q200 40 300 180T500 120'))],
    [
      'a thin pen on photographed paper',
      paper(
        '<path d="M300 500C400 200 500 700 700 400S900 500 1000 450" stroke="#26324f" stroke-width="5" fill="none"/>',
      ),
    ],
    [
      'a pencil on photographed paper',
      paper(
        '<path d="M300 500C400 200 500 700 700 400S900 500 1000 450" stroke="#8d8a86" stroke-width="7" fill="none"/>',
      ),
    ],
    ['one letter', png(`${WHITE}<text x="200" y="180" font-size="96">i</text>`)],
    [
      'white chalk on a board',
      png(`<rect width="600" height="300" fill="#243"/>${line('#fff', 'M100 200Q200 40 300 180T500 120')}`),
    ],
    ['a small picture', png(WHITE + line('#000', 'M10 30L70 20'), [80, 40])],
  ])('is found in %s', async (_what, picture) => {
    expect(await inkOf(await picture)).toBeGreaterThanOrEqual(INK);
  });

  it.each([
    ['an empty pad', png(WHITE)],
    ['a transparent picture', png('')],
    ['white ink on transparent ground', png(line('#fff', 'M100 200Q200 40 300 180T500 120'))],
    ['white ink on white', png(WHITE + line('#fff'))],
    [
      'ink that is transparent',
      png(`${WHITE}<path d="M100 200L500 100" stroke="#000" stroke-opacity="0.02" stroke-width="9"/>`),
    ],
    ['a black surface', png('<rect width="600" height="300"/>')],
    ['a tap on the pad', png(`${WHITE}<circle cx="300" cy="150" r="1"/>`)],
    ['photographed paper without a signature', paper('')],
    ['one pixel', png(WHITE, [1, 1])],
  ])('is not found in %s', async (_what, picture) => {
    expect(await inkOf(await picture)).toBeLessThan(INK);
  });
});

describe('a fingerprint image', () => {
  it('of one colour is distinguished from an image with content', async () => {
    const noisy = sharp({
      create: {
        width: 800,
        height: 600,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 20, sigma: 10 },
      },
    })
      .jpeg()
      .toBuffer();
    for (const blank of [png(WHITE), png(''), png('<rect width="600" height="300" fill="#c98f6b"/>'), noisy])
      expect(await spreadOf(await blank)).toBeLessThan(SPREAD);
    for (const shown of [faceImage(), idCardPng('THUMB')])
      expect(await spreadOf(await shown)).toBeGreaterThan(SPREAD);
    const ridges = png(
      `<rect width="600" height="300" fill="#d8a98c"/>${Array.from({ length: 30 }, (_, i) => `<ellipse cx="300" cy="150" rx="${i * 8}" ry="${i * 10}" fill="none" stroke="#b98a70" stroke-width="3"/>`).join('')}`,
    );
    expect(await spreadOf(await ridges)).toBeGreaterThan(SPREAD);
  });
});
