/**
 * Conversion of a Word file of three pages: by the converter's process as the product runs it, and by the renderer with a
 * LibreOffice started for each file.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createConverter } from '@karaar/converting';
import type { Renderer } from '@karaar/rendering';
import { createRenderer } from '@karaar/rendering/renderer';
import { startTestConverter } from '@karaar/testing/servers/converter';
import { docx } from '@karaar/testing/made-up/files';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { scratch } from '@karaar/testing/scratch';
import type { Measured } from '../lib/parts.ts';
import { processorMs } from '../lib/process.ts';
import { row, type Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { latencyOf } from '../lib/stats.ts';

const ROUNDS = size('BENCH_ROUNDS', 20, 1);
const PAGES = 3;
/** Longer than a start of LibreOffice, so that the next one is ready. */
const PAUSE_MS = 2_000;

const clause =
  'The tenant shall pay the rent on the fifth day of each month, and keep the house in the state in which it was handed over, fair wear excepted. ';
const bytes = docx(Array.from({ length: 24 }, (_, i) => `${i + 1}. ${clause.repeat(3)}`));

/** @param pid the process whose processor time is measured, with all below it */
async function measure(what: string, renderer: Renderer, pid: number, atMost?: number): Promise<Row[]> {
  const convert = () => renderer.prepareUpload({ name: 'lease.docx', kind: 'docx', bytes });
  await convert(); // loads files and programs into memory
  const rows: Row[] = [];
  for (const [how, pauseMs] of [
    ['one at a time', PAUSE_MS],
    ['one right after the other', 0],
  ] as const) {
    const times: number[] = [];
    const before = processorMs(pid);
    while (times.length < ROUNDS) {
      await sleep(pauseMs);
      const began = performance.now();
      const { pages } = await convert();
      times.push(performance.now() - began);
      if (pages !== PAGES) throw new Error(`${pages} pages instead of ${PAGES}`);
    }
    const processor = (processorMs(pid) - before) / ROUNDS;
    const { p50, p95 } = latencyOf(times);
    rows.push(row(`${what}, ${how}: p50`, p50, 'ms', { atMost }));
    rows.push(row('… p95', p95, 'ms', { note: `${processor.toFixed(0)} ms of processor time for a file` }));
  }
  return rows;
}

export async function measureConvert(): Promise<Measured> {
  const { dir: workDir, remove } = scratch();
  const converter = await startTestConverter();
  const programs = { chromiumPath: CHROMIUM, sofficePath: SOFFICE };
  const renderer = createRenderer({ ...programs, officeSpare: false, workDir });
  try {
    const ofConverter = createConverter({ url: converter.url });
    return {
      rows: [
        ...(await measure('converter', ofConverter, converter.pid(), 1_500)),
        ...(await measure('renderer, LibreOffice started for each', renderer, process.pid)),
      ],
    };
  } finally {
    await renderer.close();
    await converter.stop();
    remove();
  }
}
