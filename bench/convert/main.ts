/**
 * A Word file of three pages made pages: by the converter's process as the product runs it, and by the renderer alone
 * with and without a LibreOffice started ahead. One file at a time, with a pause in which the next LibreOffice starts, and
 * one right after the other.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConverter } from '@karaar/converting';
import type { Renderer } from '@karaar/rendering';
import { createRenderer } from '@karaar/rendering/renderer';
import { startTestConverter } from '@karaar/testing/servers/converter';
import { docx } from '@karaar/testing/made-up/files';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { processorMs } from '../capacity/processor-time.ts';
import { report, type Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { latencyOf } from '../lib/stats.ts';

const ROUNDS = size('BENCH_ROUNDS', 20, 1);
const PAGES = 3;
/** Longer than a start of LibreOffice. */
const PAUSE_MS = 2_000;

const clause =
  'The tenant shall pay the rent on the fifth day of each month, and keep the house in the state in which it was handed over, fair wear excepted. ';
const bytes = docx(Array.from({ length: 24 }, (_, i) => `${i + 1}. ${clause.repeat(3)}`));

type Run = { times: number[]; processor: number };

/** So many conversions, each timed. @param pid whose processor time counts, with all below it */
async function run(renderer: Renderer, pauseMs: number, pid: number): Promise<Run> {
  const times: number[] = [];
  const before = processorMs(pid);
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(pauseMs);
    const began = performance.now();
    const { pages } = await renderer.prepareUpload({ name: 'lease.docx', kind: 'docx', bytes });
    times.push(performance.now() - began);
    if (pages !== PAGES) throw new Error(`${pages} pages instead of ${PAGES}`);
  }
  return { times, processor: (processorMs(pid) - before) / ROUNDS };
}

const data: Record<string, Run> = {};
const rows: Row[] = [];

async function measure(what: string, renderer: Renderer, pid: number, budget?: Row['budget']): Promise<void> {
  await renderer.prepareUpload({ name: 'lease.docx', kind: 'docx', bytes }); // files and programs are in memory
  for (const [how, pauseMs] of [
    ['one at a time', PAUSE_MS],
    ['one right after the other', 0],
  ] as const) {
    const made = await run(renderer, pauseMs, pid);
    const { p50, p95 } = latencyOf(made.times);
    data[`${what}, ${how}`] = made;
    rows.push({ what: `${what}, ${how}: p50`, value: p50, unit: 'ms', ...(budget ? { budget } : {}) });
    rows.push({ what: '… p95', value: p95, unit: 'ms' });
    rows.push({ what: '… processor time of a file', value: made.processor, unit: 'ms' });
  }
}

const folder = await mkdtemp(join(tmpdir(), 'karaar-bench-convert-'));
const converter = await startTestConverter();
try {
  const health = (await (await fetch(`${converter.url}/healthz`)).json()) as { isolation: string };
  console.log(`Walled off: ${health.isolation}. ${ROUNDS} files each.`);
  await measure('converter', createConverter({ url: converter.url }), converter.pid(), { atMost: 1_500 });
  for (const officeSpare of [true, false]) {
    const workDir = join(folder, String(officeSpare));
    const renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, officeSpare, workDir });
    try {
      const what = officeSpare
        ? 'renderer, LibreOffice started ahead'
        : 'renderer, LibreOffice started for each';
      await measure(what, renderer, process.pid);
    } finally {
      await renderer.close();
    }
  }
} finally {
  await converter.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = report({ name: 'convert', rows, data });
