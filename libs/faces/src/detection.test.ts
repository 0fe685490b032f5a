import fc from 'fast-check';
import { anchorsOf, FULL_RANGE_GRIDS, SHORT_RANGE_GRIDS } from './anchors.ts';
import { decodeDetections, mergeDetections, suppress, type Detection } from './detection.ts';
import { overlap, type Rect } from './geometry.ts';

const rect = (left: number, top: number, side = 100): Rect => ({
  left,
  top,
  right: left + side,
  bottom: top + side,
});
const face = (box: Rect, score: number): Detection => ({
  box,
  score,
  keypoints: Array.from({ length: 6 }, (_, k) => ({ x: box.left + k, y: box.top + k })),
});

describe('anchors', () => {
  it('are as many as the scores of the models', () => {
    expect(anchorsOf(SHORT_RANGE_GRIDS)).toHaveLength(896);
    expect(anchorsOf(FULL_RANGE_GRIDS)).toHaveLength(2304);
  });

  it('are in the middles of their cells, row by row, the finer grid first', () => {
    const anchors = anchorsOf(SHORT_RANGE_GRIDS);
    expect(anchors[0]).toEqual({ x: 0.5 / 16, y: 0.5 / 16 });
    expect(anchors[2]).toEqual({ x: 1.5 / 16, y: 0.5 / 16 });
    expect(anchors[32]).toEqual({ x: 0.5 / 16, y: 1.5 / 16 });
    expect(anchors[512]).toEqual({ x: 0.5 / 8, y: 0.5 / 8 });
    expect(anchors[895]).toEqual({ x: 7.5 / 8, y: 7.5 / 8 });
  });
});

describe('decoding', () => {
  /**
   * One anchor in the middle of a 128 input. The picture was 256 × 128, so there are 32 rows of border above
   * it.
   */
  const fit = { size: 128, scale: 0.5, offsetX: 0, offsetY: 32 };
  const anchors = [{ x: 0.5, y: 0.5 }];
  const boxes = Float32Array.from([4, -2, 20, 10, -8, 0, 8, 0, 0, 4, 0, 8, -16, 0, 16, 0]);

  it('reads centre, size and points around the anchor, in pixels of the picture', () => {
    const [found] = decodeDetections({ boxes, scores: Float32Array.of(2) }, anchors, fit);
    const { left, top, right, bottom } = found!.box;
    [116, 50, 156, 70].forEach((at, i) => expect([left, top, right, bottom][i]).toBeCloseTo(at));
    const points = found!.keypoints.slice(0, 3).flatMap(({ x, y }) => [x, y]);
    [112, 64, 144, 64, 128, 72].forEach((at, i) => expect(points[i]).toBeCloseTo(at));
    expect(found?.score).toBeCloseTo(0.8808, 4);
  });

  it('drops scores below 0.4', () => {
    const below = Math.log(0.39 / 0.61);
    expect(decodeDetections({ boxes, scores: Float32Array.of(below) }, anchors, fit)).toEqual([]);
    const above = Math.log(0.41 / 0.59);
    expect(decodeDetections({ boxes, scores: Float32Array.of(above) }, anchors, fit)).toHaveLength(1);
  });
});

describe('suppression', () => {
  it('merges overlapping boxes into one face, weighted by their scores, with the best score', () => {
    const [found, ...others] = suppress([face(rect(0, 0), 0.9), face(rect(10, 0), 0.6)]);
    expect(others).toEqual([]);
    expect(found?.score).toBe(0.9);
    expect(found?.box.left).toBeCloseTo((10 * 0.6) / 1.5);
    expect(found?.keypoints[1]?.x).toBeCloseTo((1 * 0.9 + 11 * 0.6) / 1.5);
  });

  it('separates faces that overlap by less than 0.3', () => {
    expect(suppress([face(rect(0, 0), 0.9), face(rect(60, 0), 0.6)])).toHaveLength(2);
  });

  it('never loses or invents a face: each detection belongs to exactly one', () => {
    const detection = fc.record({
      x: fc.integer({ max: 400, min: 0 }),
      y: fc.integer({ max: 400, min: 0 }),
      score: fc.double({ min: 0.4, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(detection, { maxLength: 12 }), (all) => {
        const detections = all.map(({ x, y, score }) => face(rect(x, y), score));
        const found = suppress(detections);
        expect(found.length).toBeLessThanOrEqual(detections.length);
        expect(found.length > 0).toBe(detections.length > 0);
        expect(found[0]?.score).toBe(
          detections.length ? Math.max(...detections.map(({ score }) => score)) : undefined,
        );
        for (let i = 1; i < found.length; i++)
          expect(found[i]!.score).toBeLessThanOrEqual(found[i - 1]!.score);
      }),
    );
  });
});

describe('merging the two detectors', () => {
  it('keeps the better of two boxes on the same face and all others', () => {
    const merged = mergeDetections(
      [face(rect(0, 0), 0.7), face(rect(300, 0), 0.5)],
      [face(rect(20, 0), 0.8)],
    );
    expect(merged.map(({ score }) => score)).toEqual([0.8, 0.5]);
  });

  it('returns boxes that overlap by less than 0.35', () => {
    const place = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }));
    fc.assert(
      fc.property(fc.array(place, { maxLength: 8 }), fc.array(place, { maxLength: 8 }), (a, b) => {
        const faces = (places: [number, number][]) =>
          places.map(([x, y], i) => face(rect(x, y), 0.5 + i / 20));
        const merged = mergeDetections(faces(a), faces(b));
        for (const one of merged)
          for (const other of merged)
            if (one !== other) expect(overlap(one.box, other.box)).toBeLessThanOrEqual(0.35);
      }),
    );
  });
});
