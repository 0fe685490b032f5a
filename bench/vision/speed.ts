/** Drawn photos from files, judged on one thread. Then the service's whole pool is measured. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { makeModels } from '@karaar/testing/faces/models';
import { scratch } from '@karaar/testing/scratch';
import { JudgePool } from '@karaar/service-vision/inference/pool';
import { findModels } from '@karaar/service-vision/models/files';
import { closedLoop, type ClosedLoopResult } from '../lib/closed-loop.ts';
import { row, type Measured, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { latencyOf } from '../lib/stats.ts';
import { measureAccuracy, picturesIn } from './accuracy.ts';
import { ours, type Answer, type Question } from './ask.ts';
import { drawPhotos, type Kind } from './images.ts';

const ROUNDS = size('BENCH_ROUNDS', 4, 1);
const POOL_MS = size('BENCH_POOL_MS', 8_000, 500);
const IMAGES = size('BENCH_IMAGES', 10_000, 20);
const cores = availableParallelism();

const withPool = async <T>(workers: number, work: (pool: JudgePool) => Promise<T>): Promise<T> => {
  const pool = new JudgePool({
    modelPaths: await findModels(await makeModels()),
    ...{ workers, queue: workers, deadlineMs: 60_000 },
    onWorkerLost: (reason) => console.log(`A worker was lost: ${reason.message}`),
  });
  await pool.ready();
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
};

/** Keeps all workers busy with one photo each. */
const throughputOf = (questions: readonly Question[], workers: number): Promise<ClosedLoopResult> =>
  withPool(workers, (pool) => {
    let next = 0;
    return closedLoop({
      concurrency: workers,
      durationMs: POOL_MS,
      // Meanwhile other threads compile the workers' code. With one worker per core they would take its time.
      warmUpMs: isSmoke ? 500 : 5_000,
      task: () => judgeOne(pool, questions, next++),
    });
  });

const judgeOne = (pool: JudgePool, questions: readonly Question[], i: number): Promise<unknown> => {
  const { path, type } = questions[i % questions.length] as Question;
  return pool.judge(new Uint8Array(readFileSync(path)), { detectType: type, likeness: false });
};

/** Returns the growth of the process in MiB after the first fifth of the photos. */
const grownOver = (questions: readonly Question[]): Promise<number> =>
  withPool(cores, async (pool) => {
    let [next, early] = [0, 0];
    const worker = async (): Promise<void> => {
      while (next < IMAGES) {
        if (next === Math.round(IMAGES / 5)) early = process.memoryUsage().rss;
        await judgeOne(pool, questions, next++);
      }
    };
    await Promise.all(Array.from({ length: cores }, worker));
    return (process.memoryUsage().rss - early) / 1024 ** 2;
  });

export async function measureSpeed(): Promise<Measured> {
  const { dir: folder, remove } = scratch();
  try {
    await drawPhotos(folder);
    const files = await picturesIn(folder);
    const isOf = (path: string, kind: Kind) => path.startsWith(join(folder, kind));
    const questions = files.map((path): Question => ({
      path,
      type: isOf(path, 'eyes-open') ? 'eyes' : 'faces',
    }));
    await ours(questions); // warms up
    const runs: Answer[][] = [];
    while (runs.length < ROUNDS) runs.push(await ours(questions));
    const of = (...kinds: Kind[]) =>
      runs.flatMap((answers) => answers.filter((_, i) => kinds.some((kind) => isOf(files[i] ?? '', kind))));
    const times = (what: string, answers: readonly Answer[], atMost: number): Row => {
      const wall = latencyOf(answers.map(({ ms }) => ms));
      const cpu = latencyOf(answers.map(({ cpuMs }) => cpuMs));
      const note = `p50 ${wall.p50.toFixed(1)}, processor ${cpu.p50.toFixed(1)} and ${cpu.p95.toFixed(1)} ms`;
      return row(`time per ${what}, p95`, wall.p95, 'ms', { atMost, note });
    };
    const wrong = (what: string, answers: readonly Answer[], isWrong: boolean, atMost?: number): Row =>
      row(what, (100 * answers.filter(({ ok }) => ok === isWrong).length) / answers.length, '%', { atMost });
    const closeups = of('eyes-open');
    const single = await throughputOf(questions, 1);
    const pool = await throughputOf(questions, cores);
    const grown = await grownOver(questions);
    const rows = [
      times('photo', of('faces', 'no-faces'), 50),
      wrong('drawn faces refused', of('faces'), false, 2),
      wrong('photos without a face taken', of('no-faces'), true, 1),
      times('close-up', closeups, 80),
      wrong('drawn close-ups refused', closeups, false),
      row(`throughput, ${cores} workers`, pool.throughput, 'photos/s', {
        note: `p95 ${pool.latency.p95.toFixed(0)} ms when saturated`,
      }),
      row(`throughput, ${cores} workers / one, per core`, pool.throughput / single.throughput / cores, '×', {
        atLeast: 0.6,
        note: `one worker: ${single.throughput.toFixed(1)} photos/s`,
      }),
      row(`memory grown between photo ${Math.round(IMAGES / 5)} and ${IMAGES}`, grown, 'MiB', { atMost: 40 }),
    ];
    const drawn = isSmoke ? (await measureAccuracy(folder)).rows : [];
    return { rows: [...rows, ...drawn], data: { runs, single, pool, grown } };
  } finally {
    remove();
  }
}
