import sharp from 'sharp';
import { DEFAULT_LIMITS } from './limits.ts';
import { photoUrl, probeImage, signatureUrl, toPageImage } from './images.ts';
import { assemble } from './pdf/assemble.ts';
import { paint, type Picture } from '@karaar/testing/pdf-judges';
import { signature } from './testing/samples.ts';

/** 600 × 400 pixels with a red, green, blue and black corner, clockwise from the top left. */
function corners(): Buffer {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#fff"/>
<rect width="200" height="150" fill="#f00"/><rect x="400" width="200" height="150" fill="#0f0"/>
<rect x="400" y="250" width="200" height="150" fill="#00f"/><rect y="250" width="200" height="150" fill="#000"/></svg>`;
  return Buffer.from(svg);
}

async function page(name: string, bytes: Uint8Array): Promise<{ picture: Picture; pdf: Uint8Array }> {
  const image = await toPageImage(name, bytes, DEFAULT_LIMITS);
  const metadata = { title: 'x', subject: 'x', createdAt: '2026-11-21T06:00:00Z' };
  const { pieces, pages } = await assemble([{ kind: 'image', name, ...image }], metadata, 5);
  expect(pages).toEqual([1]);
  const pdf = Buffer.concat(pieces);
  return { pdf, picture: await paint(pdf, 1, 72) };
}

/** The colours of the corners on the page, clockwise from the top left, as r, g, b, k or w. */
function letters(picture: Picture, width: number, height: number): string {
  const [w, h] = [picture.width, picture.height];
  const at = (dx: number, dy: number): string => {
    const [r, g, b] = picture.at(0.5 + (dx * width * 0.4) / w, 0.5 + (dy * height * 0.4) / h);
    const name = [r > 128, g > 128, b > 128].map(Number).join('');
    return { '100': 'r', '010': 'g', '001': 'b', '000': 'k', '111': 'w' }[name] ?? '?';
  };
  return at(-1, -1) + at(1, -1) + at(1, 1) + at(-1, 1);
}

describe('a picture as a page', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    '[FINAL-019] is upright for each EXIF orientation (%i)',
    async (orientation) => {
      // A camera stores rotated pixels and how to rotate them back: the test rotates them by the inverse.
      const inverse = [1, 2, 3, 4, 5, 8, 7, 6][orientation - 1] ?? 1;
      const turned = await sharp(
        await sharp(corners()).jpeg().withMetadata({ orientation: inverse }).toBuffer(),
      )
        .autoOrient()
        .toBuffer();
      const stored = await sharp(turned).jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer();
      const { picture } = await page('photo.jpg', stored);
      expect([picture.width, picture.height]).toEqual([842, 596]);
      expect(letters(picture, 600, 400)).toBe('rgbk');
    },
  );

  it('is on A4 with a margin, in portrait or landscape by its shape', async () => {
    const tall = await page('tall.png', await sharp(corners()).rotate(90).png().toBuffer());
    expect([tall.picture.width, tall.picture.height]).toEqual([596, 842]);
    expect(tall.picture.at(0.02, 0.5)).toEqual([255, 255, 255]);
    expect(letters(tall.picture, 400, 600)).toBe('krgb');
  });

  it('fills the page up to the margin if it is large', async () => {
    const { picture } = await page('large.png', await sharp(corners()).resize(3000, 2000).png().toBuffer());
    const width = 841.89 - 48;
    expect(letters(picture, width, (width * 2) / 3)).toBe('rgbk');
  });

  it('is not enlarged if it is small', async () => {
    const { picture } = await page('stamp.png', await sharp(corners()).resize(60, 40).png().toBuffer());
    expect(picture.at(0.5 - 45 / picture.width, 0.5)).toEqual([255, 255, 255]);
    expect(letters(picture, 60, 40)).toBe('rgbk');
  });

  it.each([
    [
      'transparent PNG',
      () =>
        sharp({
          create: { width: 80, height: 60, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
        }).png(),
      [255, 127, 127],
    ],
    [
      'grey PNG',
      () =>
        sharp({ create: { width: 80, height: 60, channels: 3, background: '#808080' } })
          .toColourspace('b-w')
          .png(),
      [128, 128, 128],
    ],
    [
      '16-bit PNG',
      () =>
        sharp({ create: { width: 80, height: 60, channels: 3, background: '#4080c0' } })
          .toColourspace('rgb16')
          .png(),
      [64, 128, 192],
    ],
    [
      'PNG with a palette, interlaced',
      () =>
        sharp({ create: { width: 80, height: 60, channels: 3, background: '#4080c0' } }).png({
          palette: true,
          progressive: true,
        }),
      [64, 128, 192],
    ],
    [
      'grey JPEG',
      () =>
        sharp({ create: { width: 80, height: 60, channels: 3, background: '#808080' } })
          .toColourspace('b-w')
          .jpeg(),
      [128, 128, 128],
    ],
    [
      'CMYK JPEG',
      () =>
        sharp({ create: { width: 80, height: 60, channels: 3, background: '#4080c0' } })
          .toColourspace('cmyk')
          .jpeg({ quality: 100 }),
      [64, 128, 192],
    ],
    [
      'WebP',
      () =>
        sharp({ create: { width: 80, height: 60, channels: 3, background: '#4080c0' } }).webp({
          lossless: true,
        }),
      [64, 128, 192],
    ],
  ] as const)('keeps its colours: %s', async (name, make, expected) => {
    const { picture } = await page(name, await make().toBuffer());
    picture
      .at(0.5, 0.5)
      .forEach((value, i) => expect(Math.abs(value - (expected[i] ?? 0))).toBeLessThanOrEqual(12));
  });

  it('loses its metadata, so that the place of a photo stays private', async () => {
    const located = await sharp(corners())
      .jpeg()
      .withExif({ IFD0: { Artist: 'Private Person' }, IFD3: { GPSLatitude: '18/1 31/1 0/1' } })
      .toBuffer();
    expect(located.includes('Private Person')).toBe(true);
    const { pdf } = await page('photo.jpg', located);
    expect(Buffer.from(pdf).includes('Private Person')).toBe(false);
    expect(Buffer.from(pdf).includes('Exif')).toBe(false);
  });

  it('that is broken, truncated or too large is refused by name', async () => {
    const whole = await sharp(corners()).png().toBuffer();
    const files = {
      text: Buffer.from('not an image'),
      cut: whole.subarray(0, whole.length / 2),
      empty: Buffer.alloc(0),
    };
    for (const [name, bytes] of Object.entries(files)) {
      await expect(toPageImage(name, bytes, DEFAULT_LIMITS)).rejects.toMatchObject({
        code: 'image_broken',
        file: name,
      });
    }
    await expect(toPageImage('big.png', whole, { imagePixels: 1000 })).rejects.toMatchObject({
      code: 'too_large',
      file: 'big.png',
    });
  });
});

describe('images of people', () => {
  it('a truncated photo is refused at every probe', async () => {
    const size = { width: 300, height: 300, channels: 3 } as const;
    const noise = sharp({
      create: { ...size, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
    });
    const whole = await noise.jpeg().toBuffer();
    const cut = whole.subarray(0, whole.length >> 1);
    const outcomes: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      const probes = [cut, whole, cut, whole].map((bytes) =>
        probeImage('photo', bytes, DEFAULT_LIMITS).then(
          () => 'taken',
          () => 'refused',
        ),
      );
      outcomes.push(...(await Promise.all(probes)));
    }
    expect(outcomes.filter((_, i) => i % 2 === 0)).toEqual(Array(80).fill('refused'));
    expect(outcomes.filter((_, i) => i % 2 === 1)).toEqual(Array(80).fill('taken'));
  });

  /** A red face with its box, far from the middle of a photo with other striking areas. */
  const person = async (width: number, height: number, orientation = 1) => {
    const [x, y, r] = [width * 0.25, height * 0.15, Math.min(width, height) * 0.08];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#246"/>
<path d="M0 ${height * 0.6}h${width}v${height * 0.1}h-${width}z" fill="#ff0"/><circle cx="${x}" cy="${y}" r="${r}" fill="#f00"/></svg>`;
    const upright = await sharp(Buffer.from(svg)).jpeg().toBuffer();
    // Orientation 6 is corrected by a quarter turn to the right.
    const turned =
      orientation === 6 ? sharp(upright).rotate(-90).withMetadata({ orientation }) : sharp(upright);
    const face = {
      x: (x - r) / width,
      y: (y - r) / height,
      width: (2 * r) / width,
      height: (2 * r) / height,
    };
    return { bytes: await turned.jpeg().toBuffer(), face, disc: Math.PI * r * r };
  };
  /** The share of red and yellow in a framed photo, and the middle of the red area. */
  const framed = async (url: string) => {
    const jpeg = sharp(Buffer.from(url.split(',')[1] ?? '', 'base64'));
    const { data, info } = await jpeg.raw().toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    let [red, yellow, x, y] = [0, 0, 0, 0];
    for (let i = 0; i < width * height; i += 1) {
      const [r = 0, g = 0] = data.subarray(i * info.channels);
      if (r < 180) continue;
      if (g > 180 && (data[i * info.channels + 2] ?? 0) < 100) yellow += 1;
      if (g > 80) continue;
      red += 1;
      x += i % width;
      y += Math.floor(i / width);
    }
    return { width, height, red, yellow, x: x / red / width, y: y / red / height };
  };

  it.each([
    ['tall', 600, 2400, 1],
    ['wide', 2400, 600, 1],
    ['tall, and stored on its side', 600, 2400, 6],
  ])('a photo that is %s is cropped around its face', async (_, width, height, orientation) => {
    const { bytes, face, disc } = await person(width, height, orientation);
    const cut = await framed(await photoUrl('x', bytes, face, DEFAULT_LIMITS));
    expect([cut.width, cut.height]).toEqual([400, 494]);
    expect(cut.x).toBeGreaterThan(0.3);
    expect(cut.x).toBeLessThan(0.7);
    expect(cut.y).toBeGreaterThan(0.3);
    expect(cut.y).toBeLessThan(0.7);
    expect(cut.red).toBeGreaterThan(disc);
    expect(cut.yellow).toBe(0);
  });

  it.each([
    ['tall', 600, 2400],
    ['wide', 2400, 600],
  ])('a photo that is %s is shown whole if the face is unknown', async (_, width, height) => {
    const { bytes } = await person(width, height);
    const whole = await framed(await photoUrl('x', bytes, null, DEFAULT_LIMITS));
    expect([whole.width, whole.height]).toEqual([400, 494]);
    expect(whole.red).toBeGreaterThan(0);
    expect(whole.yellow).toBeGreaterThan(0);
  });

  it('a signature is cropped to its ink', async () => {
    const drawn = await signatureUrl('x', await signature(), DEFAULT_LIMITS);
    const ink = sharp(Buffer.from(drawn.split(',')[1] ?? '', 'base64'));
    const meta = await ink.metadata();
    expect(meta.hasAlpha).toBe(true);
    expect((meta.width ?? 0) / (meta.height ?? 1)).toBeGreaterThan(2.5); // the empty margin was removed
  });

  it('an empty signature is drawn as it is, not refused', async () => {
    const blank = await sharp({ create: { width: 300, height: 100, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    await expect(signatureUrl('x', blank, DEFAULT_LIMITS)).resolves.toMatch(/^data:image\/png/);
  });
});
