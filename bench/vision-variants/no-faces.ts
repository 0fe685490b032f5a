/** Pictures without a person: cuts of the given ones, surfaces and drawn things that a face could be taken for. */
import { isInside, widthOf, type Size } from '@karaar/faces/geometry';
import type { Picture } from '@karaar/service-vision/inference/picture';
import { LID_POINTS } from '@karaar/service-vision/features/validation/eye';
import { blankImage, idCardPng, lookalikePng, noiseImage, signaturePng } from '@karaar/testing/faces/faces';
import { cutOut, jpeg, mapped, middleOf, noisy, painted } from './canvas.ts';
import type { Portrait } from './faces.ts';
import type { Random } from './random.ts';

const SIZES: readonly [Size, ...Size[]] = [
  { width: 640, height: 480 },
  { width: 480, height: 640 },
  { width: 512, height: 512 },
  { width: 1280, height: 720 },
];

/** A part of a picture, of any size and turn, as it is or in another light. */
export async function part(picture: Picture, random: Random): Promise<Buffer> {
  const size = random.pick(SIZES);
  const width = picture.width * random.between(0.15, 1.1);
  const centre = {
    x: random.between(0.2, 0.8) * picture.width,
    y: random.between(0.2, 0.8) * picture.height,
  };
  const turn = random.pick([0, random.between(-Math.PI, Math.PI)]);
  const { picture: cut } = await cutOut(picture, { centre, width, turn }, size, [90, 90, 96]);
  const power = random.between(0.6, 1.8);
  return jpeg(
    mapped(cut, (value) => 255 * (value / 255) ** power),
    Math.round(random.between(40, 92)),
  );
}

/** Parts of a person, in shares of the face's width from the nose; where eyes come into the picture another is tried. */
const PARTS = {
  mouth: { x: 0, y: 0.35 },
  nose: { x: 0, y: 0.05 },
  cheek: { x: 0.32, y: 0.2 },
  ear: { x: 0.55, y: -0.1 },
  brow: { x: 0.2, y: -0.55 },
  hair: { x: 0, y: -0.8 },
  chin: { x: 0, y: 0.65 },
  clothes: { x: 0.2, y: 1.3 },
} as const;
export type PartOfPerson = keyof typeof PARTS;
export const PARTS_OF_PERSONS = Object.keys(PARTS) as PartOfPerson[];
const CUT_SIZES: readonly [Size, ...Size[]] = [
  { width: 84, height: 84 },
  { width: 160, height: 120 },
  { width: 320, height: 160 },
  { width: 640, height: 480 },
];

/** A part of a person that shows no eye. */
export async function partOfPerson(portrait: Portrait, which: PartOfPerson, random: Random): Promise<Buffer> {
  const { picture, box, keypoints, eyes } = portrait;
  const nose = keypoints[2] ?? middleOf(box);
  const face = widthOf(box);
  for (let narrower = 1; ; narrower *= 0.9) {
    const size = random.pick(CUT_SIZES);
    const part = PARTS[which];
    const centre = {
      x: nose.x + (random.pick([1, -1]) * part.x + random.between(-0.1, 0.1)) * face,
      y: nose.y + (part.y + random.between(-0.1, 0.1)) * face,
    };
    const width = face * random.between(0.25, 0.8) * narrower;
    const cut = { centre, width, turn: random.between(-0.3, 0.3) };
    const { picture: shown, place } = await cutOut(picture, cut, size, [120, 104, 90]);
    const lids = eyes.flatMap((eye) => eye.slice(0, LID_POINTS));
    if (lids.some((point) => isInside(place(point), size))) continue;
    return jpeg(shown, Math.round(random.between(40, 92)));
  }
}

/** Clouds of a few sizes in two colours. */
export async function surface(random: Random): Promise<Buffer> {
  const size = random.pick(SIZES);
  const [fx, fy] = [random.between(2, 40), random.between(2, 40)];
  const phases = Array.from({ length: 6 }, () => random.between(0, 2 * Math.PI));
  const colours = [0, 1, 2].map(() => [random.between(0, 255), random.between(0, 255)] as const);
  const empty = { rgb: new Uint8Array(size.width * size.height * 3), ...size };
  const waves = mapped(empty, (_, across, down, channel) => {
    const wave = phases.reduce(
      (sum, phase, i) =>
        sum + Math.sin(fx * across * (i + 1) * 0.5 + phase + fy * down * ((i % 3) + 1) * 0.4),
      0,
    );
    const share = 0.5 + wave / 12;
    const [from, to] = colours[channel] ?? [0, 255];
    return from + (to - from) * share;
  });
  return jpeg(noisy(waves, random, random.between(0, 20)), 80);
}

/** Round and square things in a row: fronts of cars, sockets, windows, knobs. */
export async function things(random: Random): Promise<Buffer> {
  const size = random.pick(SIZES);
  const { width, height } = size;
  const colour = () => `hsl(${random.between(0, 360)} ${random.between(5, 70)}% ${random.between(10, 85)}%)`;
  const [cx, cy, unit] = [
    width * random.between(0.35, 0.65),
    height * random.between(0.35, 0.65),
    Math.min(width, height) * random.between(0.06, 0.16),
  ];
  const apart = unit * random.between(1.6, 4);
  const eye = colour();
  const lamp = (x: number) =>
    random.pick([0, 1])
      ? `<circle cx="${x}" cy="${cy}" r="${unit}" fill="${eye}"/><circle cx="${x}" cy="${cy}" r="${unit * 0.5}" fill="${colour()}"/>`
      : `<rect x="${x - unit}" y="${cy - unit * 0.6}" width="${unit * 2}" height="${unit * 1.2}" fill="${eye}"/>`;
  const shapes = [
    `<rect width="${width}" height="${height}" fill="${colour()}"/>`,
    `<rect x="${cx - apart * 1.4}" y="${cy - unit * 3}" width="${apart * 2.8}" height="${unit * random.between(6, 9)}" rx="${unit * random.between(0, 3)}" fill="${colour()}"/>`,
    lamp(cx - apart * 0.75),
    lamp(cx + apart * 0.75),
    `<rect x="${cx - apart * random.between(0.2, 0.8)}" y="${cy + unit * random.between(1.5, 3)}" width="${apart * random.between(0.5, 1.5)}" height="${unit * random.between(0.2, 0.9)}" fill="${colour()}"/>`,
  ];
  const empty = { rgb: new Uint8Array(width * height * 3), ...size };
  return jpeg(noisy(await painted(empty, shapes.join('')), random, random.between(0, 12)), 85);
}

/** The things that the project's tests draw. */
export const drawn = async (): Promise<Buffer[]> =>
  Promise.all([
    blankImage({ width: 640, height: 480 }),
    noiseImage({ width: 640, height: 480, seed: 3, format: 'jpeg' }),
    idCardPng(),
    signaturePng(),
    lookalikePng('smiley'),
    lookalikePng('socket'),
    lookalikePng('pebble'),
  ]);
