/** Unlike its peer, ours reads each file as hostile input in its own process, removes everything active, and certifies. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { DEFAULT_LIMITS } from '@karaar/rendering';
import { createPdfEngine, readWhole } from '@karaar/rendering/measure';
import { createSealer, openKey } from '@karaar/sealing';
import { scratch } from '@karaar/testing/scratch';
import { inTurns, ratioOf } from '../lib/peers.ts';
import { row, type Measured } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { drawFiles } from './files.ts';

const ROUNDS = size('BENCH_ROUNDS', 12, 1);
/** Seals in each round; their median is the figure of the round. */
const REPEATS = size('BENCH_REPEATS', 5, 1);
const METADATA = { title: 'Bench', subject: 'Bench', createdAt: new Date().toISOString() };

type Run = { ms: number; bytes: number };

async function repeat(work: () => Promise<Uint8Array>): Promise<Run> {
  const times: number[] = [];
  let bytes = 0;
  while (times.length < REPEATS) {
    const started = performance.now();
    bytes = (await work()).length;
    times.push(performance.now() - started);
  }
  return { ms: median(times), bytes };
}

export async function measureSeal(): Promise<Measured> {
  const { dir: folder, remove } = scratch();
  const engine = createPdfEngine(DEFAULT_LIMITS);
  try {
    const sources = await drawFiles();
    const input = sources.reduce((sum, bytes) => sum + bytes.length, 0);
    const paths = sources.map((_, i) => join(folder, `${i}.pdf`));
    for (const [i, bytes] of sources.entries()) await writeFile(paths[i] ?? '', bytes);
    const key = { kind: 'dev', stateDir: folder } as const;
    const sealer = await createSealer({ key });
    const { signer } = await openKey(key);
    const { signal } = new AbortController();
    const out = join(folder, 'out.pdf');
    const parts = paths.map((path) => ({ kind: 'pdf' as const, name: path, path }));
    const { pages: maxPages } = DEFAULT_LIMITS;
    const assembly = { op: 'assemble', parts, metadata: METADATA, maxPages, out } as const;
    const seal = async () => {
      await engine.request(assembly, { signal });
      return (await sealer.seal(await readWhole(out))).pdf;
    };
    const sign = async () => {
      const merged = await PDF.merge(await Promise.all(paths.map(readWhole)));
      return (await merged.sign({ signer, level: 'B-B' })).bytes;
    };
    const peers = [
      { name: 'karaar', measure: () => repeat(seal) },
      { name: 'bare @libpdf/core', measure: () => repeat(sign) },
    ];
    for (const { measure } of peers) await measure(); // warm both up
    const runs = await inTurns(peers, ROUNDS);
    const [ours = [], bare = []] = peers.map(({ name }) => (runs.get(name) ?? []).map(({ ms }) => ms));
    const output = runs.get('karaar')?.[0]?.bytes ?? Number.NaN;
    return {
      rows: [
        row('karaar: merge + seal, median', median(ours), 'ms'),
        row('bare @libpdf/core: merge + sign, median', median(bare), 'ms'),
        row('time, karaar / bare @libpdf/core', ratioOf(ours, bare), '×', { atMost: 1.2 }),
        row('output / input', output / input, '×', { atMost: 1.3 }),
      ],
      data: { input, runs: Object.fromEntries(runs) },
    };
  } finally {
    await engine.close();
    remove();
  }
}
