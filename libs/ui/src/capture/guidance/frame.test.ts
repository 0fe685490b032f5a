import { adviceFor, lumaOf, measureFrame, type FaceBox, type FrameMeasure } from './frame.ts';

const WIDTH = 64;
const HEIGHT = 48;
const draw = (grey: (x: number, y: number) => number): Float32Array =>
  lumaOf(
    Uint8ClampedArray.from({ length: WIDTH * HEIGHT * 4 }, (_, i) => {
      const pixel = Math.floor(i / 4);
      return i % 4 === 3 ? 255 : grey(pixel % WIDTH, Math.floor(pixel / WIDTH));
    }),
  );
const checks = draw((x, y) => (((x >> 2) + (y >> 2)) % 2 ? 170 : 80));

describe('a frame', () => {
  it('is measured for light and glare in the middle only', () => {
    const lamp = measureFrame(
      draw((x) => (x < 12 ? 255 : 60)),
      WIDTH,
      null,
    );
    expect(lamp.light).toBeCloseTo(60, 0);
    expect(lamp.glare).toBe(0);
    expect(
      measureFrame(
        draw(() => 255),
        WIDTH,
        null,
      ).glare,
    ).toBe(1);
  });

  it('is sharper with edges than with gradients of the same contrast', () => {
    const slope = measureFrame(
      draw((x) => 60 + 2 * x),
      WIDTH,
      null,
    );
    expect(measureFrame(checks, WIDTH, null).sharpness).toBeGreaterThan(20 * slope.sharpness);
    expect(slope.sharpness).toBeLessThan(0.004);
  });

  it('detects movement from the previous frame, and none in the first', () => {
    expect(measureFrame(checks, WIDTH, null).movement).toBeUndefined();
    expect(measureFrame(checks, WIDTH, checks).movement).toBe(0);
    const shifted = draw((x, y) => ((((x + 2) >> 2) + (y >> 2)) % 2 ? 170 : 80));
    expect(measureFrame(shifted, WIDTH, checks).movement).toBeGreaterThan(30);
  });
});

describe('advice', () => {
  const good: FrameMeasure = { light: 120, glare: 0, sharpness: 0.05, movement: 2 };
  const eyes = (x: number, y: number, apart: number): FaceBox['eyes'] => [
    { x: x - apart / 2, y },
    { x: x + apart / 2, y },
  ];
  const face = { x: 0.35, y: 0.25, width: 0.3, height: 0.5, eyes: eyes(0.5, 0.48, 0.15) };

  it.each([
    ['nothing when all is well', {}, [face], null],
    ['nothing about faces without a detector', {}, null, null],
    ['more light in the dark, before anything else', { light: 30, sharpness: 0 }, [], 'moreLight'],
    ['less light against a window', { glare: 0.5 }, [face], 'lessLight'],
    ['less light in the sun', { light: 230 }, [face], 'lessLight'],
    ['one person only', {}, [face, face], 'onePerson'],
    ['closer', {}, [{ ...face, height: 0.2 }], 'closer'],
    ['the middle, for a face at the side', {}, [{ ...face, x: 0.65 }], 'centre'],
    ['the middle, when no face is there', {}, [], 'centre'],
    ['holding still after a movement', { movement: 20 }, [face], 'holdStill'],
    ['holding still when the picture is blurred', { sharpness: 0.001 }, null, 'holdStill'],
  ] as const)('is %s', (_, change, faces, advice) => {
    expect(adviceFor({ ...good, ...change }, faces, 'face')).toBe(advice);
  });

  it.each([
    ['closer for a whole face, far outside the outline', [face], 'closer'],
    ['the outline for eyes beside it', [{ ...face, eyes: eyes(0.7, 0.48, 0.25) }], 'centreEyes'],
    ['the outline for eyes above it', [{ ...face, eyes: eyes(0.5, 0.2, 0.25) }], 'centreEyes'],
    ['nothing for two eyes that fill it', [{ ...face, eyes: eyes(0.5, 0.48, 0.24) }], null],
    [
      'nothing for a tilted head in it',
      [
        {
          ...face,
          eyes: [
            { x: 0.42, y: 0.4 },
            { x: 0.58, y: 0.55 },
          ],
        },
      ],
      null,
    ],
    ['one person only', [face, face], 'onePerson'],
    ['nothing for a close-up without a face', [], null],
    ['nothing without a detector of eyes', null, null],
  ] as [string, FaceBox[] | null, string | null][])('for an eye is %s', (_, faces, advice) => {
    expect(adviceFor(good, faces, 'eye')).toBe(advice);
  });
});
