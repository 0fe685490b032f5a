import fc from 'fast-check';
import {
  disagreement,
  gatherEvidence,
  hypothesesOf,
  scanWindows,
  viewsOf,
  windowAround,
  windowsAtEyes,
  type Pass,
} from './evidence.ts';
import type { Point } from '@karaar/faces/geometry';
import { nudge, pointsOf, type Window } from './window.ts';

const window: Window = { centre: { x: 100, y: 80 }, width: 120, height: 90, turn: 0 };

function contour(x: number, y: number, width: number, aspect = 0.3): Point[] {
  return Array.from({ length: 71 }, (_, i) => {
    const along = i <= 8 ? i / 8 : (i % 8) / 8;
    const up = i <= 8 ? 1 : -1;
    return { x: x - width / 2 + along * width, y: y + (i % 8 === 0 ? 0 : (up * aspect * width) / 2) };
  });
}

const pass = (x: number, y: number, width = 40, mirrored = false): Pass => ({
  window,
  mirrored,
  contour: contour(x, y, width),
  iris: [{ x, y }],
});

describe('windows', () => {
  it('of the scan cover every place of a picture of any shape', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 288 }), fc.integer({ min: 40, max: 288 }), (width, height) => {
        const windows = scanWindows({ width, height }).flat();
        expect(windows.length).toBeLessThan(120);
        for (const [x, y] of [
          [1, 1],
          [width / 2, height / 2],
          [width - 1, height - 1],
        ] as const) {
          const covers = ({ centre, width: w, height: h }: Window) =>
            Math.abs(centre.x - x) <= w / 2 && Math.abs(centre.y - y) <= h / 2;
          expect(windows.some(covers)).toBe(true);
        }
      }),
    );
  });

  it('extend beyond the picture for an eye that fills it, because the model needs brow and socket', () => {
    for (const picture of [
      { width: 288, height: 144 },
      { width: 216, height: 288 },
      { width: 288, height: 288 },
    ]) {
      // An eye of three quarters of the picture's width, a contour a third wider, a window half as large
      // again.
      const wanted = 0.75 * picture.width * 1.3 * 1.5;
      expect(
        Math.max(
          ...scanWindows(picture)
            .flat()
            .map(({ width }) => width),
        ),
      ).toBeGreaterThan(wanted);
    }
  });

  it('are placed at those eyes of a guessed face that are on the picture, rotated like the line between them', () => {
    const picture = { width: 200, height: 100 };
    const [a, b] = windowsAtEyes(
      [
        { x: 50, y: 50 },
        { x: 150, y: 50 },
      ],
      picture,
    );
    expect(a).toEqual({ centre: { x: 50, y: 50 }, width: 95, height: 85, turn: 0 });
    expect(b?.centre.x).toBe(150);
    expect(
      windowsAtEyes(
        [
          { x: 50, y: 50 },
          { x: 350, y: 50 },
        ],
        picture,
      ),
    ).toHaveLength(1);
    expect(windowsAtEyes([], picture)).toEqual([]);
  });

  it("map the model's points back to the picture, mirrored or not", () => {
    const [corner] = pointsOf(Float32Array.of(0, 0), window, 64);
    expect(corner).toEqual({ x: 40, y: 35 });
    const [other] = pointsOf(Float32Array.of(0, 0), window, 64, true);
    expect(other).toEqual({ x: 160, y: 35 });
  });

  it('move along their own axes', () => {
    const turned = nudge({ ...window, turn: Math.PI / 2 }, { x: 0.5 });
    expect(turned.centre.x).toBeCloseTo(100);
    expect(turned.centre.y).toBeCloseTo(140);
    expect(viewsOf(window)).toHaveLength(5);
  });

  it('around a contour contain it with a margin, rotated like the corners, for left and right eyes alike', () => {
    const around = windowAround(contour(100, 80, 40));
    expect(around.centre.x).toBeCloseTo(100);
    expect(around.width).toBeCloseTo(60);
    expect(around.turn).toBeCloseTo(0);
    const backwards = contour(100, 80, 40).map(({ x, y }) => ({ x: 200 - x, y }));
    expect(windowAround(backwards).turn).toBeCloseTo(0);
  });
});

describe('hypotheses', () => {
  const picture = { width: 200, height: 160 };

  it('are the places that most passes agree on, each once, without small and outside ones', () => {
    const passes = [pass(60, 80), pass(61, 80), pass(60, 81), pass(150, 80), pass(100, 20, 5), pass(-20, 80)];
    const found = hypothesesOf(
      passes.map((one) => ({ pass: one, weight: 1, own: 1 })),
      picture,
      6,
    );
    expect(found).toHaveLength(2);
    expect(found[0]!.votes).toBeGreaterThan(2.5);
    expect(found[0]!.pass.iris[0]!.x).toBeCloseTo(60, -1);
    expect(found[1]!.votes).toBeCloseTo(1);
  });

  it('weigh heavier votes more, and are limited to the requested number', () => {
    const passes = [pass(60, 80), pass(150, 80)];
    const [best, ...rest] = hypothesesOf(
      passes.map((one, i) => ({ pass: one, weight: i === 1 ? 3 : 1, own: i === 1 ? 3 : 1 })),
      picture,
      1,
    );
    expect(best!.pass).toBe(passes[1]);
    expect(rest).toEqual([]);
  });

  it('count only a vote’s own weight if no neighbour agrees', () => {
    const passes = [pass(60, 80), pass(61, 80), pass(150, 80)];
    const found = hypothesesOf(
      passes.map((one) => ({ pass: one, weight: 2, own: 1 })),
      picture,
      6,
    );
    expect(found.map(({ votes }) => Math.round(votes))).toEqual([3, 1]);
  });

  it('begin with the best one from a window larger than the picture, even if many small windows outvote it', () => {
    const wide = { ...pass(100, 80, 120), window: { ...window, width: 300, height: 270 } };
    const passes = [pass(60, 80), pass(61, 80), pass(60, 81), wide];
    const proposals = passes.map((one) => ({ pass: one, weight: 1, own: 1 }));
    const found = hypothesesOf(proposals, picture, 2);
    expect(found.map(({ pass: { iris } }) => iris)).toEqual([[{ x: 100, y: 80 }], [{ x: 60, y: 80 }]]);
    expect(found[0]?.votes).toBeCloseTo(1);
  });
});

describe('evidence', () => {
  it('has no spread if all passes agree, plain and mirrored', () => {
    const passes = [pass(60, 80), pass(60, 80, 40, true)];
    const evidence = gatherEvidence(passes, { contrast: 0.5, white: 0.4 }, 2);
    expect(evidence.irisSpread).toBeCloseTo(0);
    expect(evidence.cornerSpread).toBeCloseTo(0);
    expect(evidence.opennessSpread).toBeCloseTo(0);
    expect(evidence.openness).toBeCloseTo(0.3, 1);
    expect(disagreement(passes[0]!, passes[1]!)).toBeCloseTo(0);
  });

  it('measures spread in eye widths, and keeps the least open pass', () => {
    const shut: Pass = { ...pass(70, 80), contour: contour(70, 80, 40, 0.05) };
    const evidence = gatherEvidence([pass(50, 80), shut], { contrast: 0.5, white: 0.4 }, 2);
    expect(evidence.irisSpread).toBeCloseTo(10 / 40);
    expect(evidence.leastOpenness).toBeLessThan(0.06);
    expect(evidence.opennessSpread).toBeGreaterThan(0.1);
    expect(disagreement(pass(50, 80), shut)).toBeCloseTo(0.75);
  });
});
