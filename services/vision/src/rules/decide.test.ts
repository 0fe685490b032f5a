import type { Point } from '@karaar/faces/geometry';
import fc from 'fast-check';
import type { Evidence } from './evidence.ts';
import { openEyeScore } from './open-eye.ts';
import { judgeCloseup, judgeEyes, judgeFaces, type FaceObservation } from './decide.ts';

const picture = { width: 640, height: 480 };

/**
 * Returns a contour of 71 points whose lid line is `width` wide, with an openness of `aspect`, around a
 * point.
 */
function eye(x: number, y: number, width = 40, aspect = 0.3): Point[] {
  return Array.from({ length: 71 }, (_, i) => {
    // Points 0 to 8 are the lower lid from corner to corner, 9 to 15 the upper lid on the way (as the model
    // has it).
    const along = i <= 8 ? i / 8 : (i - 8) / 8;
    const half = i <= 8 ? 1 : -1;
    const open = i % 8 === 0 ? 0 : (half * aspect * width) / 2;
    return { x: x - width / 2 + along * width, y: y + open };
  });
}

function face(
  change: Partial<FaceObservation> & { at?: Point; side?: number; aspect?: number } = {},
): FaceObservation {
  const { at = { x: 320, y: 240 }, side = 200, aspect = 0.3, ...rest } = change;
  return {
    box: { left: at.x - side / 2, top: at.y - side / 2, right: at.x + side / 2, bottom: at.y + side / 2 },
    score: 0.9,
    keypoints: [
      { x: at.x - side / 5, y: at.y - side / 10 },
      { x: at.x + side / 5, y: at.y - side / 10 },
    ],
    eyes: [eye(at.x + side / 5, at.y, side / 5, aspect), eye(at.x - side / 5, at.y, side / 5, aspect)],
    whites: [0.5, 0.5],
    quality: { mean: 130, deviation: 45, blownOut: 0, sharpness: 0.1 },
    ...rest,
  };
}

describe('faces', () => {
  it('accepts one whole face and returns its place in fractions of the picture', () => {
    const verdict = judgeFaces(picture, [face()]);
    expect(verdict).toEqual({
      ok: true,
      boxes: [
        {
          x: 220 / 640,
          y: 140 / 480,
          width: 200 / 640,
          height: 200 / 480,
          score: 0.9,
          landmarks: [
            { x: 280 / 640, y: 220 / 480 },
            { x: 360 / 640, y: 220 / 480 },
          ],
        },
      ],
    });
  });

  it.each([
    ['nobody', [], 'no_face'],
    ['two people', [face({ at: { x: 150, y: 240 } }), face({ at: { x: 450, y: 240 } })], 'multiple_faces'],
    ['a face of 35 pixels', [face({ side: 35 })], 'too_small'],
    ['a face with one eye off the picture', [face({ at: { x: 35, y: 240 } })], 'no_face'],
    ['a face cut off by more than a third', [face({ at: { x: 320, y: 22 } })], 'no_face'],
    [
      'a dark face',
      [face({ quality: { mean: 29, deviation: 30, blownOut: 0, sharpness: 0.1 } })],
      'too_dark',
    ],
    [
      'a blurred face',
      [face({ quality: { mean: 130, deviation: 45, blownOut: 0, sharpness: 0.001 } })],
      'blurred',
    ],
  ])('refuses %s', (_, faces, reason) => {
    expect(judgeFaces(picture, faces)).toMatchObject({ ok: false, reason });
  });

  it('accepts a face that is cut off by less than a third, and returns its visible part', () => {
    const verdict = judgeFaces(picture, [face({ at: { x: 60, y: 240 } })]);
    expect(verdict.ok).toBe(true);
    expect(verdict.boxes[0]).toMatchObject({ x: 0, width: 160 / 640 });
  });

  it('does not count a cut-off face as a second one', () => {
    expect(judgeFaces(picture, [face(), face({ at: { x: 640, y: 240 } })]).ok).toBe(true);
  });

  it('ignores a person in the background, but not a person at the side', () => {
    const beside = (side: number) => face({ at: { x: 540, y: 240 }, side });
    expect(judgeFaces(picture, [face(), beside(108)]).ok).toBe(true);
    expect(judgeFaces(picture, [beside(112), face()]).reason).toBe('multiple_faces');
  });

  it('does not call a face blurred whose crop was enlarged', () => {
    const soft = { mean: 130, deviation: 45, blownOut: 0, sharpness: 0.001 };
    expect(judgeFaces(picture, [face({ side: 99, quality: soft })]).ok).toBe(true);
  });

  it('does not require open eyes', () => {
    expect(judgeFaces(picture, [face({ aspect: 0.05 })]).ok).toBe(true);
  });
});

describe('eyes', () => {
  it('accepts open eyes and returns their places', () => {
    const verdict = judgeEyes(picture, [face()]);
    expect(verdict).toMatchObject({ ok: true, boxes: [{ x: 340 / 640 }, { x: 260 / 640 }] });
  });

  it('accepts a face with one open eye', () => {
    const eyes = [eye(360, 240, 40, 0.05), eye(280, 240, 40, 0.21)];
    expect(judgeEyes(picture, [face({ eyes })]).ok).toBe(true);
  });

  it('accepts a whole eye of a face that is cut off', () => {
    const eyes = [eye(40, 240), eye(-30, 240)];
    const verdict = judgeEyes(picture, [face({ eyes, at: { x: 0, y: 240 } })]);
    expect(verdict).toMatchObject({ ok: true });
    expect(verdict.boxes).toHaveLength(1);
  });

  it.each([
    ['nobody', [], 'no_eye'],
    ['closed eyes', [face({ aspect: 0.1 })], 'eyes_closed'],
    ['eyes off the picture', [face({ eyes: [eye(-30, 240), eye(-90, 240)] })], 'no_eye'],
    [
      'eyes drawn along the edge',
      [face({ eyes: [eye(280, 4.5, 40, 0.2), eye(360, 4.5, 40, 0.2)] })],
      'no_eye',
    ],
    ['eyes of 11 pixels', [face({ eyes: [eye(300, 240, 11), eye(340, 240, 11)] })], 'too_small'],
    [
      'two eyes of which one is drawn a little open',
      [face({ eyes: [eye(280, 240, 40, 0.18), eye(360, 240, 40, 0.06)] })],
      'eyes_closed',
    ],
    [
      'a bright face',
      [face({ quality: { mean: 230, deviation: 30, blownOut: 0.6, sharpness: 0.1 } })],
      'too_bright',
    ],
  ])('refuses %s', (_, faces, reason) => {
    expect(judgeEyes(picture, faces)).toMatchObject({ ok: false, reason });
  });

  it('judges the largest face, at any position in the list', () => {
    const small = face({ at: { x: 100, y: 100 }, side: 120 });
    const large = face({ at: { x: 400, y: 260 }, side: 300, aspect: 0.05 });
    expect(judgeEyes(picture, [small, large]).reason).toBe('eyes_closed');
    expect(judgeEyes(picture, [large, small]).reason).toBe('eyes_closed');
  });

  it('judges open-drawn lids as closed if no white is next to the iris, and an eye in shade as open', () => {
    const closed = face({ aspect: 0.18, whites: [0.1, 0.2] });
    expect(judgeEyes(picture, [closed]).reason).toBe('eyes_closed');
    expect(judgeEyes(picture, [face({ aspect: 0.18, whites: [0.1, 0.26] })]).ok).toBe(true);
    expect(judgeEyes(picture, [face({ aspect: 0.31, whites: [-0.2, 0] })]).ok).toBe(true);
  });

  it('separates open from closed at 0.14', () => {
    expect(judgeEyes(picture, [face({ aspect: 0.139 })]).reason).toBe('eyes_closed');
    expect(judgeEyes(picture, [face({ aspect: 0.141 })]).ok).toBe(true);
  });
});

describe('an undecided face', () => {
  it('asks for a close-up if no eye was seen, and if a cut-off face seems asleep', () => {
    expect(judgeEyes(picture, []).undecided).toBe(true);
    expect(judgeEyes(picture, [face({ aspect: 0.05 })]).undecided).toBe(false);
    expect(judgeEyes(picture, [face()]).undecided).toBe(false);
    const cutOff = face({ at: { x: 60, y: 20 }, aspect: 0.05 });
    expect(judgeEyes(picture, [{ ...cutOff, eyes: [eye(60, 20, 40, 0.05)] }]).undecided).toBe(true);
  });
});

describe('close-ups', () => {
  const light = { mean: 120, deviation: 40, blownOut: 0, sharpness: 0.1 };
  const open: Evidence = {
    irisSpread: 0.03,
    cornerSpread: 0.11,
    openness: 0.33,
    leastOpenness: 0.25,
    opennessSpread: 0.01,
    contrast: 0.6,
    white: 0.5,
    votes: 4,
    face: 0,
    box: { left: 64, top: 48, right: 320, bottom: 240 },
    lids: [{ x: 64, y: 144 }],
    corners: [
      { x: 64, y: 144 },
      { x: 320, y: 144 },
    ],
  };

  it('accept an eye that all passes agree on, and return its place', () => {
    expect(judgeCloseup(picture, [open], light)).toMatchObject({
      ok: true,
      boxes: [{ x: 0.1, y: 0.1, width: 0.4, height: 0.4, landmarks: [{ x: 0.1, y: 0.3 }] }],
    });
  });

  it.each([
    ['no place at all', [], {}, 'no_eye'],
    ['no place at all, in the dark', [], { mean: 20 }, 'too_dark'],
    [
      'an eye where no face could be',
      [{ ...open, openness: 0.26, leastOpenness: 0.2, face: -7 }],
      {},
      'no_eye',
    ],
    ['passes that do not agree', [{ ...open, irisSpread: 0.2, cornerSpread: 0.22 }], {}, 'no_eye'],
    [
      'agreement on closed lids',
      [{ ...open, openness: 0.08, leastOpenness: 0.03, contrast: 0.1, white: 0.05 }],
      {},
      'eyes_closed',
    ],
  ])('refuse %s', (_, evidence, change, reason) => {
    expect(judgeCloseup(picture, evidence, { ...light, ...change })).toMatchObject({ ok: false, reason });
  });

  it('never score lower for less spread, a wider eye, more contrast, more votes or more of a face', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(share, { minLength: 9, maxLength: 9 }), (shares) => {
        const [a, b, c, d, e, f, g, h, i] = shares as [
          number,
          number,
          number,
          number,
          number,
          number,
          number,
          number,
          number,
        ];
        const evidence = {
          ...open,
          irisSpread: a,
          cornerSpread: b,
          openness: c,
          leastOpenness: d,
          contrast: e,
          white: g,
          opennessSpread: h,
          votes: 6 * f,
          face: 12 * i - 9,
        };
        const better = {
          ...evidence,
          irisSpread: a * 0.9,
          cornerSpread: b * 0.9,
          openness: c * 1.1,
          leastOpenness: d * 1.1,
          contrast: e * 1.1,
          white: g * 1.1,
          opennessSpread: h * 0.9,
          votes: 6.6 * f,
          face: 12 * i - 8,
        };
        expect(openEyeScore(better)).toBeGreaterThanOrEqual(openEyeScore(evidence));
      }),
    );
  });
});
