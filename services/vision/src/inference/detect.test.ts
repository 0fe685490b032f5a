import { detectFace, detectFaces } from './detect.ts';
import type { Models, PhotoModel } from './sessions.ts';

const picture = { width: 64, height: 48, rgb: new Uint8Array(64 * 48 * 3) };
const ANCHORS = { short: 896, full: 2304 };

/**
 * Fake detectors that see something at one place with the given confidence. `asked` records the calls.
 * @param width of the detection, in pixels of the detector's input
 */
function detectors(
  logits: Record<'short' | 'full', number>,
  width = 0,
): { models: Models; modelsRun: PhotoModel[] } {
  const modelsRun: PhotoModel[] = [];
  const run: Models['run'] = async (model) => {
    if (model !== 'short' && model !== 'full') throw new Error(`${model} is not a detector`);
    modelsRun.push(model);
    const count = ANCHORS[model];
    const scores = new Float32Array(count).fill(-9);
    scores[7] = logits[model];
    const boxes = new Float32Array(count * 16);
    boxes.fill(width, 7 * 16 + 2, 7 * 16 + 4);
    return (name) => (name === 'scores' ? scores : boxes);
  };
  return { models: { run, takeWork: () => ({}) }, modelsRun };
}

async function showAll(models: Models): Promise<number> {
  let ways = 0;
  for await (const _ of detectFaces(picture, models)) ways++;
  return ways;
}

describe('face detection', () => {
  it('shows the picture to both detectors first, and to the second one again only after a hint', async () => {
    const nothing = detectors({ short: -3, full: 1 });
    expect(await showAll(nothing.models)).toBe(5);
    expect(nothing.modelsRun).toEqual(['short', 'full', 'short', 'short', 'short', 'short']);
    const hint = detectors({ short: -1, full: -3 });
    expect(await showAll(hint.models)).toBe(5);
    expect(hint.modelsRun.filter((model) => model === 'full')).toHaveLength(5);
  });

  it('runs the second detector last on an eye photo if the first one is unsure and has no hint of a small face', async () => {
    const SMALL = 30;
    const LARGE = 80;
    const showings = async (
      short: number,
      width: number,
    ): Promise<[unlikely: boolean, modelsRun: PhotoModel[]][]> => {
      const { models, modelsRun } = detectors({ short, full: 1 }, width);
      const all: [boolean, PhotoModel[]][] = [];
      for await (const { unlikely } of detectFace(picture, models)) all.push([unlikely, [...modelsRun]]);
      return all;
    };
    for (const [short, width] of [
      [2, SMALL],
      [2, LARGE],
      [-1, SMALL],
    ] as const)
      expect(await showings(short, width)).toEqual([[false, ['short', 'full']]]);
    const unlikely = [
      [true, ['short']],
      [false, ['short', 'full']],
    ];
    expect(await showings(-3, SMALL)).toEqual(unlikely);
    expect(await showings(-1, LARGE)).toEqual(unlikely);
    expect(await showings(0.5, LARGE)).toEqual(unlikely);
  });
});
