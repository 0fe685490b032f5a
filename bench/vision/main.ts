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
import { JudgePool } from '@karaar/service-vision/inference/pool';
import { ensureModels } from '@karaar/service-vision/models/build';
import { closedLoop, type ClosedLoopResult } from '../lib/closed-loop.ts';
import { inTurns, ratioOf, type Peer } from '../lib/peers.ts';
import { report, type Row } from '../lib/report.ts';
import { latencyOf } from '../lib/stats.ts';
import { drawPhotos, showsFace, type Sample } from './images.ts';
import { findOpencv } from './opencv.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const POOL_MS = Number(process.env['BENCH_POOL_MS'] ?? 8_000);
const OURS = 'karaar vision';
const PEER = 'OpenCV Haar';
const PEER_NOTE = 'Haar looks for faces from 100 pixels on, does not judge light, sharpness or eyes';
const scriptAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'karaar-bench-vision-'));
try {
  console.log('drawing the photos');
  await drawPhotos(folder);
  const python = findOpencv();
  const peers: Peer<Sample[]>[] = [
    { name: OURS, measure: () => run(process.execPath, scriptAt('./ours.ts')) },
  ];
  if (python) peers.push({ name: PEER, measure: () => run(python, scriptAt('./haar.py')) });
  const runs = await inTurns(peers, ROUNDS, (line) => console.log(line));
  console.log('the whole pool');
  const pool = await measurePool();

  const rows: Row[] = [];
  for (const [name, ofPeer] of runs) rows.push(...rowsOf(name, ofPeer));
  const [ours, theirs] = [runs.get(OURS) ?? [], runs.get(PEER) ?? []];
  if (theirs.length > 0) {
    const ratio = ratioOf(ours.map(meanMs), theirs.map(meanMs));
    rows.push({ what: `time per photo, ${OURS} / ${PEER}`, value: ratio, unit: '×', note: PEER_NOTE });
  }
  rows.push({
    what: `throughput, ${availableParallelism()} workers`,
    value: pool.throughput,
    unit: 'photos/s',
    note: `p95 ${pool.latency.p95.toFixed(0)} ms when saturated`,
  });
  process.exitCode = report({ name: 'vision', rows, data: { runs: Object.fromEntries(runs), pool } });
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
  const samples = runs.flat();
  const cpu = latencyOf(samples.map(({ cpuMs }) => cpuMs));
  const latency = latencyOf(samples.map(({ ms }) => ms));
  const share = (of: typeof samples, wrong: boolean): number =>
    (100 * of.filter(({ face }) => face === wrong).length) / of.length;
  const withFace = samples.filter(({ file }) => showsFace(file));
  const without = samples.filter(({ file }) => !showsFace(file));
  const budget = (atMost: number): Pick<Row, 'budget'> => (name === OURS ? { budget: { atMost } } : {});
  return [
    { what: `${name}: time per photo, p50`, value: latency.p50, unit: 'ms' },
    { what: `${name}: time per photo, p95`, value: latency.p95, unit: 'ms', ...budget(50) },
    { what: `${name}: processor time per photo, p50`, value: cpu.p50, unit: 'ms' },
    { what: `${name}: processor time per photo, p95`, value: cpu.p95, unit: 'ms' },
    { what: `${name}: drawn faces refused`, value: share(withFace, false), unit: '%', ...budget(2) },
    { what: `${name}: photos without a face taken`, value: share(without, true), unit: '%', ...budget(1) },
  ];
}

/** As many photos as go through one worker per core. */
async function measurePool(): Promise<ClosedLoopResult> {
  const workers = availableParallelism();
  const photos = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
  const pool = new JudgePool({
    modelPaths: (await ensureModels()).paths,
    workers,
    queue: workers,
    deadlineMs: 60_000,
    onWorkerLost: (reason) => console.log(`A worker was lost: ${reason.message}`),
  });
  await pool.ready();
  let next = 0;
  const result = await closedLoop({
    concurrency: workers,
    durationMs: POOL_MS,
    warmUpMs: 2_000,
    task: () => pool.judge(new Uint8Array(photos[next++ % photos.length] ?? Buffer.alloc(0)), 'faces'),
  });
  await pool.close();
  return result;
}
