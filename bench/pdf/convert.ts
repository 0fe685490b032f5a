/** A Word file of three pages by the converter as the product runs it, and with a LibreOffice started for each file. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createConverter } from '@karaar/converting';
import type { Renderer } from '@karaar/rendering';
import { createRenderer } from '@karaar/rendering/renderer';
import { startTestConverter } from '@karaar/testing/servers/converter';
import { docx } from '@karaar/testing/made-up/files';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { scratch } from '@karaar/testing/scratch';
import { row, type Measured, type Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';

const ROUNDS = size('BENCH_ROUNDS', 20, 1);
const PAGES = 3;
/** Longer than a start of LibreOffice, so that the next one is ready. */
const PAUSE_MS = 2_000;

const clause =
  'The tenant shall pay the rent on the fifth day of each month, and keep the house in the state in which it was handed over, fair wear excepted. ';
const bytes = docx(Array.from({ length: 24 }, (_, i) => `${i + 1}. ${clause.repeat(3)}`));

async function measure(what: string, renderer: Renderer, atMost?: number): Promise<Row[]> {
  const convert = () => renderer.prepareUpload({ name: 'lease.docx', kind: 'docx', bytes });
  await convert(); // loads files and programs into memory
  const rows: Row[] = [];
  for (const [how, pauseMs] of [
    ['one at a time', PAUSE_MS],
    ['one right after the other', 0],
  ] as const) {
    const times: number[] = [];
    while (times.length < ROUNDS) {
      await sleep(pauseMs);
      const began = performance.now();
      const { pages } = await convert();
      times.push(performance.now() - began);
      if (pages !== PAGES) throw new Error(`${pages} pages instead of ${PAGES}`);
    }
    rows.push(row(`${what}, ${how}: p50`, median(times), 'ms', { atMost }));
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
        ...(await measure('converter', ofConverter, 1_500)),
        ...(await measure('renderer, LibreOffice started for each', renderer)),
      ],
    };
  } finally {
    await renderer.close();
    await converter.stop();
    remove();
  }
}
