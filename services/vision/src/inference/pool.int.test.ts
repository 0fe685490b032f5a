import {
  blankImage,
  faceImage,
  lookalikePng,
  noiseImage,
  type FaceImageOptions,
} from '@karaar/testing/faces/faces';
import { makeModels } from '@karaar/testing/faces/models';
import sharp from 'sharp';
import { findModels, type ModelPaths } from '../models/files.ts';
import { JudgeFailed, JudgePool, PoolClosed, PoolFull } from './pool.ts';

let paths: ModelPaths;
let lost: Error[];
const FACES = { detectType: 'faces', likeness: false } as const;
const EYES = { detectType: 'eyes', likeness: false } as const;
const open = (options: { workers?: number; queue?: number; deadlineMs?: number } = {}): JudgePool =>
  new JudgePool({
    modelPaths: paths,
    workers: 1,
    queue: 8,
    deadlineMs: 20_000,
    onWorkerLost: (reason) => lost.push(reason),
    ...options,
  });
const bytes = (image: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(image);

beforeAll(async () => {
  paths = await findModels(await makeModels());
}, 60_000);
beforeEach(() => {
  lost = [];
});

describe('verdicts on drawn photos', () => {
  let pool: JudgePool;
  beforeAll(async () => {
    pool = open();
    await pool.ready();
  }, 60_000);
  afterAll(() => pool.close());
  const faces = async (image: Buffer) => (await pool.judge(bytes(image), FACES)).verdict;
  const eyes = async (image: Buffer) => (await pool.judge(bytes(image), EYES)).verdict;

  const frames: FaceImageOptions[] = [
    { width: 640, height: 480 },
    { width: 1280, height: 720, format: 'png' },
    { width: 480, height: 640, format: 'webp', skin: 'dark', seed: 3 },
    { width: 1920, height: 1080, skin: 'light', seed: 5, x: 0.4, y: 0.55 },
    { width: 640, height: 480, size: 0.8, skin: 'brown', tilt: 15, seed: 8 },
    { width: 1600, height: 1200, size: 0.5, seed: 11, tilt: -20 },
  ];

  it.each(frames)('%j with open eyes is accepted as a face and as an eye photo', async (frame) => {
    const image = await faceImage(frame);
    expect(await faces(image)).toMatchObject({ ok: true, boxes: [{ score: expect.any(Number) }] });
    expect(await eyes(image)).toMatchObject({ ok: true });
  });

  it.each(frames)('%j with closed eyes is accepted only as a face', async (frame) => {
    const image = await faceImage({ ...frame, eyes: 'closed' });
    expect(await faces(image)).toMatchObject({ ok: true });
    expect(await eyes(image)).toMatchObject({ ok: false, reason: 'eyes_closed' });
  });

  it('finds face and eyes where they were drawn', async () => {
    const image = await faceImage({ width: 640, height: 480, x: 0.4, size: 0.62 });
    const [face] = (await faces(image)).boxes;
    expect(face!.x + face!.width / 2).toBeCloseTo(0.4, 1);
    // The drawing's head is 300 high; the eyes are 46 to the side, 6 above its middle, and 52 wide.
    const unit = (480 * 0.62) / 300;
    const boxes = (await eyes(image)).boxes.sort((a, b) => a.x - b.x);
    const found = boxes.map(({ x, y, width, height }) => ({
      x: (x + width / 2) * 640,
      y: (y + height / 2) * 480,
      width: width * 640,
    }));
    const expected = [256 - 46 * unit, 256 + 46 * unit];
    expect(found).toHaveLength(2);
    found.forEach((eye, i) => {
      expect(Math.abs(eye.x - expected[i]!)).toBeLessThan(6);
      expect(Math.abs(eye.y - (240 - 6 * unit))).toBeLessThan(6);
      expect(Math.abs(eye.width - 52 * unit)).toBeLessThan(12);
    });
  });

  it.each([
    ['an empty room', { count: 0 }, 'no_face', 'no_eye'],
    ['a face cut off at the side', { x: 0.02 }, 'no_face', undefined],
    ['the part of a face around the eyes', { size: 2.6 }, 'no_face', undefined],
    ['the same, asleep', { size: 2.6, eyes: 'closed' }, 'no_face', 'no_eye'],
    ['two people', { count: 2, width: 1280, height: 720 }, 'multiple_faces', undefined],
    ['a person far away', { size: 0.09 }, 'too_small', 'too_small'],
    ['darkness', { exposure: 0.2 }, 'too_dark', 'too_dark'],
    ['glare', { exposure: 2.4 }, 'too_bright', 'too_bright'],
    ['a shaken camera', { blur: 7 }, 'blurred', 'blurred'],
  ] as const)('%s: faces %j', async (_, options, faceReason, eyeReason) => {
    const image = await faceImage(options);
    expect(await faces(image)).toMatchObject({ ok: false, reason: faceReason });
    const verdict = await eyes(image);
    expect([verdict.ok, verdict.reason]).toEqual([eyeReason === undefined, eyeReason]);
  });

  it.each([
    ['lying on its side', 90],
    ['lying on the other side', 270],
    ['upside down', 180],
  ])('accepts a face %s without its orientation tag', async (_, angle) => {
    const image = await sharp(await faceImage({ size: 0.5 }))
      .rotate(angle)
      .jpeg()
      .toBuffer();
    expect(await faces(image)).toMatchObject({ ok: true });
  });

  it('accepts one drawn eye that fills the frame, left or right, but not the cheek below it', async () => {
    const face = sharp(await faceImage({ width: 1200, height: 1200, size: 0.9, format: 'png' }));
    // The drawing's head is 300 high; the eyes are 46 to the side and 6 above its middle.
    const unit = (1200 * 0.9) / 300;
    const part = async (x: number, y: number) =>
      face
        .clone()
        .extract({
          left: Math.round(600 + (x - 45) * unit),
          top: Math.round(600 + (y - 30) * unit),
          width: Math.round(90 * unit),
          height: Math.round(60 * unit),
        })
        .jpeg()
        .toBuffer();
    expect(await eyes(await part(-46, -6))).toMatchObject({ ok: true });
    expect(await eyes(await part(46, -6))).toMatchObject({ ok: true });
    expect(await eyes(await part(-60, 60))).toMatchObject({ ok: false, reason: 'no_eye' });
  });

  it.each(['smiley', 'socket', 'pebble'] as const)('refuses a %s', async (kind) => {
    const image = await lookalikePng(kind);
    expect(await faces(image)).toMatchObject({ ok: false, reason: 'no_face' });
    expect(await eyes(image)).toMatchObject({ ok: false, reason: 'no_eye' });
  });

  it('finds no face on blank pictures and in noise', async () => {
    for (const image of [
      await blankImage(),
      await noiseImage(),
      await noiseImage({ seed: 2, format: 'jpeg' }),
    ]) {
      expect(await faces(image)).toEqual({ ok: false, reason: 'no_face', boxes: [] });
      expect(await eyes(image)).toEqual({ ok: false, reason: 'no_eye', boxes: [] });
    }
  });
});

describe('the queue', () => {
  it('refuses photos when all workers are busy and the queue is full, and accepts them again afterwards', async () => {
    const pool = open({ queue: 1 });
    await pool.ready();
    const image = await faceImage();
    const [first, second] = [pool.judge(bytes(image), FACES), pool.judge(bytes(image), FACES)];
    expect(pool.isFull).toBe(true);
    await expect(pool.judge(bytes(image), FACES)).rejects.toBeInstanceOf(PoolFull);
    expect([(await first).verdict.ok, (await second).verdict.ok]).toEqual([true, true]);
    expect(pool.isFull).toBe(false);
    expect((await pool.judge(bytes(image), FACES)).verdict.ok).toBe(true);
    await pool.close();
  });

  it('frees the place of a photo when its caller disconnects', async () => {
    const pool = open({ queue: 1 });
    await pool.ready();
    const image = await faceImage();
    const caller = new AbortController();
    const first = pool.judge(bytes(image), FACES);
    const given = pool.judge(bytes(image), FACES, caller.signal);
    caller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    expect(pool.isFull).toBe(false);
    expect((await first).verdict.ok).toBe(true);
    await pool.close();
  });

  it('rejects waiting photos when it is closed', async () => {
    const pool = open();
    await pool.ready();
    const image = await faceImage();
    const jobs = [pool.judge(bytes(image), FACES), pool.judge(bytes(image), FACES)];
    const ends = jobs.map((job) => expect(job).rejects.toBeInstanceOf(PoolClosed));
    await pool.close();
    await Promise.all(ends);
    await expect(pool.judge(bytes(image), FACES)).rejects.toBeInstanceOf(PoolClosed);
    expect(lost).toEqual([]);
  });
});

describe('a worker that fails', () => {
  it('is replaced when a photo takes too long; only that photo gets no verdict', async () => {
    const pool = open({ deadlineMs: 1 });
    await pool.ready();
    const slow = await faceImage();
    await expect(pool.judge(bytes(slow), FACES)).rejects.toBeInstanceOf(JudgeFailed);
    expect(lost).toHaveLength(1);
    await pool.ready();
    expect(pool.isReady).toBe(true);
    await pool.close();
  });

  it('is not ready without its models, and reports the reason', async () => {
    const pool = new JudgePool({
      modelPaths: { ...paths, full: `${paths.full}.missing` },
      workers: 1,
      queue: 1,
      deadlineMs: 1000,
      onWorkerLost: (reason) => lost.push(reason),
    });
    while (lost.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(lost[0]).toBeInstanceOf(JudgeFailed);
    expect(pool.isReady).toBe(false);
    await pool.close();
  });
});
