import { detectFaces } from './detect.ts';
import type { Models, PhotoModel } from './sessions.ts';

const picture = { width: 64, height: 48, rgb: new Uint8Array(64 * 48 * 3) };
const ANCHORS = { short: 896, full: 2304 };

/** Detectors that see something at one place, as sure as they are told. Notes which of them were asked. */
function detectors(logits: Record<'short' | 'full', number>): { models: Models; asked: PhotoModel[] } {
  const asked: PhotoModel[] = [];
  const run: Models['run'] = async (model) => {
    if (model !== 'short' && model !== 'full') throw new Error(`${model} is no detector`);
    asked.push(model);
    const count = ANCHORS[model];
    const scores = new Float32Array(count).fill(-9);
    scores[7] = logits[model];
    return (name) => (name === 'scores' ? scores : new Float32Array(count * 16));
  };
  return { models: { run, takeWork: () => ({}) }, asked };
}

async function showAll(models: Models, onDoubt?: () => void): Promise<number> {
  let ways = 0;
  for await (const _ of detectFaces(picture, models, onDoubt)) ways++;
  return ways;
}

describe('looking for faces', () => {
  it('shows the picture to both detectors first, and to the second one again only after a hint', async () => {
    const nothing = detectors({ short: -3, full: 1 });
    expect(await showAll(nothing.models)).toBe(5);
    expect(nothing.asked).toEqual(['short', 'full', 'short', 'short', 'short', 'short']);
    const hint = detectors({ short: -1, full: -3 });
    expect(await showAll(hint.models)).toBe(5);
    expect(hint.asked.filter((model) => model === 'full')).toHaveLength(5);
  });

  it('tells of its doubt before the slower detector looks, and only where there is any', async () => {
    const { models, asked } = detectors({ short: -1, full: -1 });
    const told: PhotoModel[][] = [];
    await detectFaces(picture, models, () => told.push([...asked])).next();
    expect(told).toEqual([['short']]);
    const found = detectors({ short: 2, full: -1 });
    await detectFaces(picture, found.models, () => told.push([])).next();
    expect(told).toHaveLength(1);
  });
});
