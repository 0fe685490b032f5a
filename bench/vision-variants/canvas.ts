/** Raw pictures and what is done to them: cut out turned, shaded, painted over, encoded. */
import type { Point, Rect, Size } from '@karaar/faces/geometry';
import type { Picture } from '@karaar/service-vision/inference/picture';
import sharp from 'sharp';
import type { Random } from './random.ts';

export type Colour = readonly [number, number, number];

/** A place on the picture that becomes a picture of its own. */
export interface Cut {
  centre: Point;
  /** Width on the source, in its pixels; the height follows from the output. */
  width: number;
  /** Radians by which the content is turned on the output. */
  turn?: number;
  /** Content this much narrower than it is: a head turned away. */
  squeeze?: number;
}

const raw = ({ width, height }: Size) => ({ raw: { width, height, channels: 3 } }) as const;
const encoder = ({ rgb, ...size }: Picture) => sharp(rgb, raw(size));

/** A file as a picture at its own size. */
export async function load(path: string): Promise<Picture> {
  const { data, info } = await sharp(path)
    .autoOrient()
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { rgb: data, width: info.width, height: info.height };
}

/**
 * The cut as a picture of `out` size, with the way from points of the source to points of it.
 * @param beyond what is seen past the source's edge
 */
export async function cutOut(
  source: Picture,
  { centre, width, turn = 0, squeeze = 1 }: Cut,
  out: Size,
  beyond: Colour,
): Promise<{ picture: Picture; place: (point: Point) => Point }> {
  const scale = out.width / width;
  // Averaged by libvips first where much is brought down; one sample per pixel then.
  const shrink = Math.min(1, scale);
  const size = { width: Math.round(source.width * shrink), height: Math.round(source.height * shrink) };
  const rgb = await encoder(source).resize(size.width, size.height, { fit: 'fill' }).raw().toBuffer();
  const step = shrink / scale;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const result = new Uint8Array(out.width * out.height * 3);
  const middle = { x: centre.x * shrink, y: centre.y * shrink };
  for (let y = 0, o = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++, o += 3) {
      const [u, v] = [x + 0.5 - out.width / 2, y + 0.5 - out.height / 2];
      const fromX = middle.x + ((u * cos + v * sin) / squeeze) * step - 0.5;
      const fromY = middle.y + (v * cos - u * sin) * step - 0.5;
      if (fromX < -0.5 || fromY < -0.5 || fromX > size.width - 0.5 || fromY > size.height - 0.5) {
        result.set(beyond, o);
        continue;
      }
      bilinear({ rgb, ...size }, fromX, fromY, result, o);
    }
  }
  const place = ({ x, y }: Point): Point => {
    const [dx, dy] = [(x - centre.x) * scale * squeeze, (y - centre.y) * scale];
    return { x: out.width / 2 + dx * cos - dy * sin, y: out.height / 2 + dx * sin + dy * cos };
  };
  return { picture: { rgb: result, ...out }, place };
}

/** One sample of a picture, written to `out` at `o`. */
export function bilinear(
  { rgb, width, height }: Picture,
  atX: number,
  atY: number,
  out: Uint8Array,
  o: number,
): void {
  const x = Math.min(width - 1, Math.max(0, atX));
  const y = Math.min(height - 1, Math.max(0, atY));
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)];
  const [tx, ty] = [x - x0, y - y0];
  for (let channel = 0; channel < 3; channel++) {
    const at = (row: number, column: number): number => rgb[(row * width + column) * 3 + channel] ?? 0;
    const upper = at(y0, x0) * (1 - tx) + at(y0, x1) * tx;
    const lower = at(y1, x0) * (1 - tx) + at(y1, x1) * tx;
    out[o + channel] = Math.round(upper * (1 - ty) + lower * ty);
  }
}

/** Each pixel by a rule of its value and place (0 to 1 across and down). */
export function mapped(
  picture: Picture,
  rule: (value: number, across: number, down: number, channel: number) => number,
): Picture {
  const { rgb, width, height } = picture;
  const out = new Uint8Array(rgb.length);
  for (let y = 0, o = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++, o++)
        out[o] = Math.min(255, Math.max(0, rule(rgb[o] ?? 0, x / width, y / height, channel)));
  return { ...picture, rgb: out };
}

export const noisy = (picture: Picture, random: Random, strength: number): Picture =>
  mapped(
    picture,
    (value) => value + strength * (random.between(-1, 1) + random.between(-1, 1) + random.between(-1, 1)),
  );

/** An SVG drawn over the picture. */
export async function painted(picture: Picture, shapes: string): Promise<Picture> {
  const { width, height } = picture;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`;
  const rgb = await encoder(picture)
    .composite([{ input: Buffer.from(svg) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { ...picture, rgb };
}

export async function blurred(picture: Picture, sigma: number): Promise<Picture> {
  if (sigma < 0.3) return picture;
  return { ...picture, rgb: await encoder(picture).blur(sigma).raw().toBuffer() };
}

/** Brought down and up again, as by a poor camera. */
export async function coarse(picture: Picture, factor: number): Promise<Picture> {
  const { width, height } = picture;
  const [w, h] = [Math.max(8, Math.round(width * factor)), Math.max(8, Math.round(height * factor))];
  const small = await encoder(picture).resize(w, h, { fit: 'fill' }).raw().toBuffer();
  const rgb = await sharp(small, raw({ width: w, height: h }))
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { ...picture, rgb };
}

export const jpeg = (picture: Picture, quality: number): Promise<Buffer> =>
  encoder(picture).jpeg({ quality }).toBuffer();

/** The same picture stored lying, with the EXIF note that turns it upright. */
export const storedLying = (picture: Picture, orientation: 3 | 6 | 8): Promise<Buffer> =>
  encoder(picture)
    .rotate({ 3: 180, 6: 270, 8: 90 }[orientation])
    .withMetadata({ orientation })
    .jpeg({ quality: 88 })
    .toBuffer();

export const middleOf = ({ left, top, right, bottom }: Rect): Point => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
});
