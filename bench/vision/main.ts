/**
 * The vision service's judgement of a photo against OpenCV's Haar cascade (design §4): the same drawn
 * photos, decoded from their files, one thread each, in the same run, in turns. Then the whole pool.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeModels } from '@karaar/testing/faces/models';
import { JudgePool } from '@karaar/service-vision/inference/pool';
import { findModels, type ModelPaths } from '@karaar/service-vision/models/files';
import { closedLoop, type ClosedLoopResult } from '../lib/closed-loop.ts';
import { inTurns, ratioOf, type Peer } from '../lib/peers.ts';
import { report, type Row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { latencyOf } from '../lib/stats.ts';
import { drawPhotos, isCloseup, showsFace, type Sample } from './images.ts';
import { measureMachine } from './machine.ts';
import { findOpencv } from './opencv.ts';

const ROUNDS = size('BENCH_ROUNDS', 4, 1);
const POOL_MS = size('BENCH_POOL_MS', 8_000, 500);
const IMAGES = size('BENCH_IMAGES', 10_000, 20);
const OURS = 'karaar vision';
const PEER = 'OpenCV Haar';
const PEER_NOTE = 'Haar looks for faces from 100 pixels on, does not judge light, sharpness or eyes';
const scriptAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

let files: string[] = [];
let modelPaths: ModelPaths;
const folder = mkdtempSync(join(tmpdir(), 'karaar-bench-vision-'));
try {
  console.log('drawing the photos');
  await drawPhotos(folder);
  files = readdirSync(folder);
  modelPaths = await findModels(await makeModels());
  const python = findOpencv();
  const peers: Peer<Sample[]>[] = [
    { name: OURS, measure: () => run(process.execPath, scriptAt('./ours.ts')) },
  ];
  if (python) peers.push({ name: PEER, measure: () => run(python, scriptAt('./haar.py')) });
  const runs = await inTurns(peers, ROUNDS, (line) => console.log(line));
  console.log('one worker, then one per core');
  const cores = availableParallelism();
  const single = await measurePool(1);
  const pool = await measurePool(cores);
  const machine = await measureMachine(cores, POOL_MS / 4);
  console.log(`memory over ${IMAGES} photos`);
  const grown = await measureMemory();

  const rows: Row[] = [];
  for (const [name, ofPeer] of runs) rows.push(...rowsOf(name, ofPeer));
  const [ours, theirs] = [runs.get(OURS) ?? [], runs.get(PEER) ?? []];
  if (theirs.length > 0) {
    const ratio = ratioOf(ours.map(meanMs), theirs.map(meanMs));
    rows.push({ what: `time per photo, ${OURS} / ${PEER}`, value: ratio, unit: '×', note: PEER_NOTE });
  }
  rows.push({
    what: `throughput, ${cores} workers`,
    value: pool.throughput,
    unit: 'photos/s',
    note: `p95 ${pool.latency.p95.toFixed(0)} ms when saturated`,
  });
  rows.push({
    what: `throughput, ${cores} workers / one, per core`,
    value: pool.throughput / single.throughput / cores,
    unit: '×',
    budget: { atLeast: 0.6 },
    note: `one worker: ${single.throughput.toFixed(1)} photos/s`,
  });
  rows.push({
    what: `plain arithmetic, ${cores} threads / one, per core`,
    value: machine,
    unit: '×',
    note: 'what the machine has to give at most',
  });
  rows.push({
    what: `memory grown between photo ${Math.round(IMAGES / 5)} and ${IMAGES}`,
    value: grown,
    unit: 'MiB',
    budget: { atMost: 40 },
  });
  process.exitCode = report({
    name: 'vision',
    rows,
    data: { runs: Object.fromEntries(runs), single, pool, machine, grown },
  });
} finally {
  rmSync(folder, { recursive: true });
}

async function run(command: string, script: string): Promise<Sample[]> {
  const { stdout } = await promisify(execFile)(command, [script, folder], { maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout) as Sample[];
}

function meanMs(samples: readonly Sample[]): number {
  return latencyOf(samples.map(({ ms }) => ms)).mean;
}

/** The budgets are ours to hold; the peer's figures are told beside them. */
function rowsOf(name: string, runs: readonly Sample[][]): Row[] {
  const all = runs.flat();
  const samples = all.filter(({ file }) => !isCloseup(file));
  const closeups = all.filter(({ file }) => isCloseup(file));
  const share = (of: typeof samples, wrong: boolean): number =>
    (100 * of.filter(({ face }) => face === wrong).length) / of.length;
  const withFace = samples.filter(({ file }) => showsFace(file));
  const without = samples.filter(({ file }) => !showsFace(file));
  const budget = (atMost: number): Pick<Row, 'budget'> => (name === OURS ? { budget: { atMost } } : {});
  const rows: Row[] = [
    ...timesOf(`${name}: time per photo`, samples, budget(50)),
    { what: `${name}: drawn faces refused`, value: share(withFace, false), unit: '%', ...budget(2) },
    { what: `${name}: photos without a face taken`, value: share(without, true), unit: '%', ...budget(1) },
  ];
  if (name === OURS) {
    rows.push(...timesOf(`${name}: time per close-up`, closeups, budget(80)));
    rows.push({ what: `${name}: drawn close-ups refused`, value: share(closeups, false), unit: '%' });
  }
  return rows;
}

function timesOf(what: string, samples: readonly Sample[], budget: Pick<Row, 'budget'>): Row[] {
  const cpu = latencyOf(samples.map(({ cpuMs }) => cpuMs));
  const latency = latencyOf(samples.map(({ ms }) => ms));
  return [
    { what: `${what}, p50`, value: latency.p50, unit: 'ms' },
    { what: `${what}, p95`, value: latency.p95, unit: 'ms', ...budget },
    { what: `${what}, processor, p50`, value: cpu.p50, unit: 'ms' },
    { what: `${what}, processor, p95`, value: cpu.p95, unit: 'ms' },
  ];
}

function openPool(workers: number): JudgePool {
  return new JudgePool({
    modelPaths,
    workers,
    queue: workers,
    deadlineMs: 60_000,
    onWorkerLost: (reason) => console.log(`A worker was lost: ${reason.message}`),
  });
}

/** The photos in turns, each asked for what it shows. */
function judgeOne(pool: JudgePool, i: number): Promise<unknown> {
  const file = files[i % files.length] ?? '';
  const photo = new Uint8Array(readFileSync(join(folder, file)));
  return pool.judge(photo, { detectType: isCloseup(file) ? 'eyes' : 'faces', likeness: false });
}

/** As many photos as go through the workers, one at a time each. */
async function measurePool(workers: number): Promise<ClosedLoopResult> {
  const pool = openPool(workers);
  await pool.ready();
  let next = 0;
  const result = await closedLoop({
    concurrency: workers,
    durationMs: POOL_MS,
    // Each worker's code is compiled on further threads: one worker has cores left for them, as many as cores have none.
    warmUpMs: isSmoke ? 500 : 5_000,
    task: () => judgeOne(pool, next++),
  });
  await pool.close();
  return result;
}

/** MiB that the process grew by after the first fifth of the photos. */
async function measureMemory(): Promise<number> {
  const pool = openPool(availableParallelism());
  await pool.ready();
  let [next, early] = [0, 0];
  const judgeMany = async (): Promise<void> => {
    while (next < IMAGES) {
      if (next === Math.round(IMAGES / 5)) early = process.memoryUsage().rss;
      await judgeOne(pool, next++);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, judgeMany));
  const late = process.memoryUsage().rss;
  await pool.close();
  return (late - early) / 1024 ** 2;
}
