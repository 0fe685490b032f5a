/**
 * Merging and sealing 50 pages of 5 MB against the bare library doing the same (design §4): in the same
 * run, in turns, with the same key. Ours also reads each file as hostile input in a process of its own,
 * takes out everything that acts, and certifies.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { DEFAULT_LIMITS } from '@karaar/rendering';
import { createPdfEngine, readWhole } from '@karaar/rendering/measure';
import { createSealer, openKey } from '@karaar/sealing';
import { inTurns, ratioOf, type Peer } from '../lib/peers.ts';
import { report } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { drawFiles, PAGES } from './files.ts';

const ROUNDS = size('BENCH_ROUNDS', 12, 1);
/** Seals per round: their median is the round's figure. */
const REPEATS = size('BENCH_REPEATS', 5, 1);
const OURS = 'karaar';
const PEER = 'bare @libpdf/core';
const METADATA = { title: 'Bench', subject: 'Bench', createdAt: new Date().toISOString() };

type Run = { ms: number; bytes: number };

const folder = await mkdtemp(join(tmpdir(), 'karaar-bench-seal-'));
const engine = createPdfEngine(DEFAULT_LIMITS);
try {
  const sources = await drawFiles();
  const input = sources.reduce((sum, bytes) => sum + bytes.length, 0);
  console.log(`${PAGES} pages, ${(input / 1e6).toFixed(1)} MB`);
  const paths = await Promise.all(
    sources.map(async (bytes, i) => {
      const path = join(folder, `${i}.pdf`);
      await writeFile(path, bytes);
      return path;
    }),
  );
  const key = { kind: 'dev', stateDir: folder } as const;
  const sealer = await createSealer({ key });
  const { signer } = await openKey(key);
  const { signal } = new AbortController();

  async function ours(): Promise<Uint8Array> {
    const out = join(folder, 'out.pdf');
    const parts = paths.map((path) => ({ kind: 'pdf' as const, name: path, path }));
    const maxPages = DEFAULT_LIMITS.pages;
    await engine.request({ op: 'assemble', parts, metadata: METADATA, maxPages, out }, { signal });
    return (await sealer.seal(await readWhole(out))).pdf;
  }

  async function bare(): Promise<Uint8Array> {
    const files = await Promise.all(paths.map(readWhole));
    const merged = await PDF.merge(files);
    return (await merged.sign({ signer, level: 'B-B' })).bytes;
  }

  const peers: Peer<Run>[] = [
    { name: OURS, measure: () => repeat(ours) },
    { name: PEER, measure: () => repeat(bare) },
  ];
  for (const { measure } of peers) await measure(); // warm both up
  const runs = await inTurns(peers, ROUNDS);
  const times = (name: string): number[] => (runs.get(name) ?? []).map(({ ms }) => ms);
  const size = runs.get(OURS)?.[0]?.bytes ?? Number.NaN;

  process.exitCode = report({
    name: 'seal',
    rows: [
      { what: `${OURS}: merge + seal, median`, value: median(times(OURS)), unit: 'ms' },
      { what: `${PEER}: merge + sign, median`, value: median(times(PEER)), unit: 'ms' },
      {
        what: `time, ${OURS} / ${PEER}`,
        value: ratioOf(times(OURS), times(PEER)),
        unit: '×',
        budget: { atMost: 1.2 },
      },
      { what: 'output / input', value: size / input, unit: '×', budget: { atMost: 1.3 } },
    ],
    data: { input, runs: Object.fromEntries(runs) },
  });
} finally {
  await engine.close();
  await rm(folder, { recursive: true });
}

async function repeat(work: () => Promise<Uint8Array>): Promise<Run> {
  const times: number[] = [];
  let bytes = 0;
  for (let i = 0; i < REPEATS; i += 1) {
    const started = performance.now();
    bytes = (await work()).length;
    times.push(performance.now() - started);
  }
  return { ms: median(times), bytes };
}
