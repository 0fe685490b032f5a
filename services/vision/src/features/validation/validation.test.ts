import type { Point } from './geometry.ts';
import { judgeEyes, judgeFaces, type FaceObservation } from './validation.ts';

const picture = { width: 640, height: 480 };

/** A contour of 71 points whose lid line is `width` wide and opens by `aspect`, around a place. */
function eye(x: number, y: number, width = 40, aspect = 0.3): Point[] {
  return Array.from({ length: 71 }, (_, i) => {
    // Points 0 to 8 are the lower lid from corner to corner, 9 to 15 the upper lid on the way (as the model has it).
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
    eyes: [eye(at.x + side / 5, at.y, side / 5, aspect), eye(at.x - side / 5, at.y, side / 5, aspect)],
    quality: { mean: 130, deviation: 45, blownOut: 0, sharpness: 0.1 },
    ...rest,
  };
}

describe('faces', () => {
  it('takes one whole face and says where it is, in fractions of the picture', () => {
    const verdict = judgeFaces(picture, [face()]);
    expect(verdict).toEqual({
      ok: true,
      boxes: [{ x: 220 / 640, y: 140 / 480, width: 200 / 640, height: 200 / 480, score: 0.9 }],
    });
  });

  it.each([
    ['nobody', [], 'no_face'],
    ['two people', [face({ at: { x: 150, y: 240 } }), face({ at: { x: 450, y: 240 } })], 'multiple_faces'],
    ['a face of 99 pixels', [face({ side: 99 })], 'too_small'],
    ['a face cut off at the side', [face({ at: { x: 70, y: 240 } })], 'no_face'],
    ['a face cut off at the top', [face({ at: { x: 320, y: 60 } })], 'no_face'],
    [
      'a dark face',
      [face({ quality: { mean: 40, deviation: 30, blownOut: 0, sharpness: 0.1 } })],
      'too_dark',
    ],
    [
      'a blurred face',
      [face({ quality: { mean: 130, deviation: 45, blownOut: 0, sharpness: 0.01 } })],
      'blurred',
    ],
  ])('refuses %s', (_, faces, reason) => {
    expect(judgeFaces(picture, faces)).toMatchObject({ ok: false, reason });
  });

  it('takes a box that reaches beyond the picture by less than a tenth, and shows the part on it', () => {
    const verdict = judgeFaces(picture, [face({ at: { x: 85, y: 240 } })]);
    expect(verdict.ok).toBe(true);
    expect(verdict.boxes[0]).toMatchObject({ x: 0, width: 185 / 640 });
  });

  it('does not count a face that is cut off as a second one', () => {
    expect(judgeFaces(picture, [face(), face({ at: { x: 640, y: 240 } })]).ok).toBe(true);
  });

  it('does not ask for open eyes', () => {
    expect(judgeFaces(picture, [face({ aspect: 0.05 })]).ok).toBe(true);
  });
});

describe('eyes', () => {
  it('takes open eyes and says where they are', () => {
    const verdict = judgeEyes(picture, [face()]);
    expect(verdict).toMatchObject({ ok: true, boxes: [{ x: 340 / 640 }, { x: 260 / 640 }] });
  });

  it('takes a face with one open eye', () => {
    const eyes = [eye(360, 240, 40, 0.05), eye(280, 240, 40, 0.2)];
    expect(judgeEyes(picture, [face({ eyes })]).ok).toBe(true);
  });

  it('takes an eye of a face that is cut off, when the eye itself is whole', () => {
    const eyes = [eye(40, 240), eye(-30, 240)];
    const verdict = judgeEyes(picture, [face({ eyes, at: { x: 0, y: 240 } })]);
    expect(verdict).toMatchObject({ ok: true });
    expect(verdict.boxes).toHaveLength(1);
  });

  it.each([
    ['nobody', [], 'no_eye'],
    ['closed eyes', [face({ aspect: 0.1 })], 'eyes_closed'],
    ['eyes off the picture', [face({ eyes: [eye(-30, 240), eye(-90, 240)] })], 'no_eye'],
    ['eyes of 15 pixels', [face({ eyes: [eye(300, 240, 15), eye(340, 240, 15)] })], 'too_small'],
    [
      'a bright face',
      [face({ quality: { mean: 230, deviation: 30, blownOut: 0.6, sharpness: 0.1 } })],
      'too_bright',
    ],
  ])('refuses %s', (_, faces, reason) => {
    expect(judgeEyes(picture, faces)).toMatchObject({ ok: false, reason });
  });

  it('judges the largest face, wherever it stands in the list', () => {
    const small = face({ at: { x: 100, y: 100 }, side: 120 });
    const large = face({ at: { x: 400, y: 260 }, side: 300, aspect: 0.05 });
    expect(judgeEyes(picture, [small, large]).reason).toBe('eyes_closed');
    expect(judgeEyes(picture, [large, small]).reason).toBe('eyes_closed');
  });

  it('draws the line between open and closed at 0.14', () => {
    expect(judgeEyes(picture, [face({ aspect: 0.139 })]).reason).toBe('eyes_closed');
    expect(judgeEyes(picture, [face({ aspect: 0.141 })]).ok).toBe(true);
  });
});
