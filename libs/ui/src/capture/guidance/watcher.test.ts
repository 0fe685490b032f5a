import type { Detection } from '@karaar/faces/detection';
import { createLook, FRAME_SIDE, reducedSize, type Seen } from './look.ts';
import { openWatcher, type Watcher } from './watcher.ts';

const video = { videoWidth: 1280, videoHeight: 720 } as HTMLVideoElement;
const seen: Seen = { measure: { light: 120, glare: 0, sharpness: 0.1 }, faces: null };
const broken = (): Watcher => ({
  look: () => Promise.reject(new Error('no worker')),
  close: () => undefined,
});

describe('a watcher', () => {
  it('runs on the page if a worker is unavailable, fails to start or fails later', async () => {
    let opened = 0;
    const page = (): Watcher => {
      opened += 1;
      return { look: async () => seen, close: () => undefined };
    };
    const refused = (): Watcher => {
      throw new Error('refused by the policy');
    };
    expect(await openWatcher([refused, page]).look(video)).toBe(seen);
    const watcher = openWatcher([broken, page]);
    await watcher.look(video);
    expect(await watcher.look(video)).toBe(seen);
    expect(opened).toBe(2);
  });

  it('rejects if no way is left, and opens none after it was closed', async () => {
    await expect(openWatcher([broken]).look(video)).rejects.toThrow('no worker');
    let opened = 0;
    const watcher = openWatcher([
      broken,
      () => {
        opened += 1;
        return broken();
      },
    ]);
    watcher.close();
    await expect(watcher.look(video)).rejects.toThrow('no worker');
    expect(opened).toBe(0);
  });
});

describe('an analysis', () => {
  const square = new Uint8ClampedArray(FRAME_SIDE ** 2 * 4).fill(128);
  const face = (left: number, width: number, score: number): Detection => ({
    box: { left, top: 18, right: left + width, bottom: 18 + width },
    score,
    keypoints: [
      { x: left + 4, y: 30 },
      { x: left + width - 4, y: 30 },
    ],
  });

  it('reduces a frame to the size of the detector, in either orientation', () => {
    expect(reducedSize(video)).toEqual({ width: 128, height: 72 });
    expect(reducedSize({ videoWidth: 720, videoHeight: 1280 } as HTMLVideoElement)).toEqual({
      width: 72,
      height: 128,
    });
  });

  it('returns faces as fractions of the frame, without unreliable ones and people in the background', () => {
    const found = () => [face(32, 36, 0.9), face(90, 30, 0.5), face(100, 12, 0.9)];
    const { faces } = createLook()(square, { width: 128, height: 72 }, found);
    // The page shows 96 of the 128 columns.
    const eyes = [(36 - 16) / 96, (64 - 16) / 96].map((x) => ({
      x: expect.closeTo(x),
      y: expect.closeTo(30 / 72),
    }));
    expect(faces).toEqual([{ x: 0.25, y: 0.25, width: 36 / 128, height: 0.5, eyes }]);
    expect(createLook()(square, { width: 128, height: 72 }, null).faces).toBeNull();
  });

  it('returns movement from the second frame of a size', () => {
    const look = createLook();
    const wide = { width: 128, height: 72 };
    expect(look(square, wide, null).measure.movement).toBeUndefined();
    expect(look(square, wide, null).measure.movement).toBe(0);
    expect(look(square, { width: 72, height: 128 }, null).measure.movement).toBeUndefined();
  });
});
