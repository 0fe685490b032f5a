/** Upper lids drawn down over open eyes. */
import { boundsOf, type Point } from '@karaar/faces/geometry';
import { LID_POINTS } from '@karaar/service-vision/features/validation/eye';
import type { Picture } from '@karaar/service-vision/inference/picture';
import { bilinear, painted } from './canvas.ts';
import type { Random } from './random.ts';

/** Both edges of an eye from left to right. */
function edgesOf(contour: readonly Point[]): { lower: Point[]; upper: Point[]; left: number; right: number } {
  const lids = contour.slice(0, LID_POINTS);
  const byX = (a: Point, b: Point): number => a.x - b.x;
  const { left, right } = boundsOf(lids);
  return {
    lower: lids.slice(0, 9).sort(byX),
    upper: [...lids.slice(8), lids[0] as Point].sort(byX),
    left,
    right,
  };
}

/**
 * The skin between brow and lid stretched down over an eye.
 * @param down how far, 1 being where the lower lid is
 */
export function lowered(picture: Picture, contour: readonly Point[], down: number): Picture {
  const { lower, upper, left, right } = edgesOf(contour);
  const width = right - left;
  const [low, high] = [lineThrough(lower), lineThrough(upper)];
  const rgb = new Uint8Array(picture.rgb);
  for (let x = Math.ceil(left - width * 0.08); x < right + width * 0.08; x++) {
    const at = Math.min(right, Math.max(left, x));
    // A little beyond the drawn lines: they run inside the lashes.
    const [upperY, lowerY] = [high(at) - width * 0.045, low(at) + width * 0.03];
    const closedY = upperY + (lowerY - upperY) * down;
    const brow = upperY - width * 0.24;
    for (let y = Math.floor(brow); y < closedY; y++) {
      const from = brow + ((y - brow) * (upperY - brow)) / Math.max(1, closedY - brow);
      const o = (y * picture.width + x) * 3;
      if (o >= 0 && o + 2 < rgb.length) bilinear(picture, x, from, rgb, o);
    }
  }
  return { ...picture, rgb };
}

/** An eye shut: the lid drawn down, and a line of lashes along it. */
export async function closed(picture: Picture, contour: readonly Point[], random: Random): Promise<Picture> {
  const { lower, left, right } = edgesOf(contour);
  const width = right - left;
  const down = random.between(0.9, 1.04);
  const line = lower.map(({ x, y }) => `${x},${y + width * 0.03 - (1 - down) * width * 0.2}`).join(' ');
  const lashes = `<polyline points="${line}" fill="none" stroke="#1c1210" stroke-opacity="${random.between(0.35, 0.9)}" stroke-width="${width * random.between(0.02, 0.06)}" stroke-linecap="round"/>`;
  return painted(lowered(picture, contour, down), lashes);
}

/** The same with what long lashes and a lid of its own shape add: hairs that point down, a crease, light on the lid. */
export async function closedWithLashes(
  picture: Picture,
  contour: readonly Point[],
  random: Random,
): Promise<Picture> {
  const { lower, upper, left, right } = edgesOf(contour);
  const width = right - left;
  const shut = await closed(picture, contour, random);
  const [low, high] = [lineThrough(lower), lineThrough(upper)];
  const [length, strong, thick] = [
    random.between(0.06, 0.2),
    random.between(0.4, 0.9),
    random.between(0.01, 0.03),
  ];
  const hairs = Array.from({ length: 26 }, (_, i) => {
    const x = left + (width * (i + random.between(0, 1))) / 26;
    const out = (x - (left + right) / 2) / width;
    return `<path d="M${x} ${low(x) + width * 0.02}q${out * width * 0.08} ${width * length * 0.8} ${out * width * 0.25} ${width * length}" fill="none" stroke="#17100e" stroke-opacity="${strong}" stroke-width="${width * thick}"/>`;
  });
  const crease = random.between(-0.12, 0.06) * width;
  const fold = upper.map(({ x }) => `${x},${high(x) + crease}`).join(' ');
  const middle = { x: (left + right) / 2, y: (low((left + right) / 2) + high((left + right) / 2)) / 2 };
  const light = random.between(0, 0.25);
  return painted(
    shut,
    `<radialGradient id="light"><stop offset="0" stop-color="white" stop-opacity="${light}"/><stop offset="1" stop-color="white" stop-opacity="0"/></radialGradient><ellipse cx="${middle.x}" cy="${middle.y}" rx="${width * 0.4}" ry="${width * 0.14}" fill="url(#light)"/><polyline points="${fold}" fill="none" stroke="#3a2018" stroke-opacity="${random.between(0.1, 0.5)}" stroke-width="${width * 0.025}"/>${hairs.join('')}`,
  );
}

function lineThrough(points: readonly Point[]): (x: number) => number {
  return (x) => {
    const right = points.find((point) => point.x >= x) ?? points.at(-1);
    const left = points.findLast((point) => point.x <= x) ?? points[0];
    if (!left || !right) throw new Error('A lid has points');
    if (right.x === left.x) return right.y;
    return left.y + ((x - left.x) / (right.x - left.x)) * (right.y - left.y);
  };
}
