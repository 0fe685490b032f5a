/**
 * Composes and seals a final PDF (agreement, raw files, signatures and certificate) as the finalization job does, without
 * database and storage (design §4).
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRenderer } from '@karaar/rendering/renderer';
import { agreement, rawFile } from '@karaar/rendering/testing/samples';
import { textPdf } from '@karaar/testing/made-up/files';
import { createSealer } from '@karaar/sealing';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { scratch } from '@karaar/testing/scratch';
import type { Measured } from '../lib/parts.ts';
import { procFile, treeOf } from '../lib/process.ts';
import { row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';

const ROUNDS = size('BENCH_ROUNDS', 15, 1);
const SMALL = 10;
const LARGE = isSmoke ? 20 : 138;

export async function measureFinalize(): Promise<Measured> {
  const { dir: folder, remove } = scratch();
  const workDir = join(folder, 'work');
  const renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: folder } });

  /** Creates input whose raw file has this number of pages. It is prepared and on disk, as for the job. */
  const inputOf = async (raw: number) => {
    const texts = Array.from({ length: raw }, (_, i) => `Page ${i + 1}. The rent is due on the 5th.`);
    const bytes = await textPdf(...texts);
    const path = join(folder, `raw-${raw}.pdf`);
    const made = await renderer.prepareUpload({ name: 'lease.pdf', kind: 'pdf', bytes });
    await writeFile(path, made.pdf);
    const file = rawFile('lease.pdf', made.pdf);
    return agreement({ files: [{ ...file, pages: { path, sha256: file.sha256 } }] });
  };
  const make = async (input: Awaited<ReturnType<typeof inputOf>>) => {
    const composed = await renderer.composeFinalPdf(input);
    return { pages: composed.pages.total, pdf: (await sealer.seal(composed.pdf)).pdf };
  };
  try {
    const own = (await make(await inputOf(1))).pages - 1; // warms up; the pages that we add
    const small = await inputOf(SMALL - own);
    const times: number[] = [];
    while (times.length < ROUNDS) {
      const started = performance.now();
      const { pages } = await make(small);
      times.push(performance.now() - started);
      if (pages !== SMALL) throw new Error(`${pages} pages instead of ${SMALL}`);
    }
    const uploading = performance.now();
    const uploaded = await peakWhile(() => inputOf(LARGE - own));
    const perPage = (performance.now() - uploading) / (LARGE - own);
    const { result, ours, browser } = await peakWhile(() => make(uploaded.result));
    return {
      rows: [
        row(`${SMALL} pages with certificate, median`, median(times), 'ms', { atMost: 1500 }),
        row(`upload of ${LARGE - own} pages, made and compared: time per page`, perPage, 'ms', {
          atMost: 1000,
        }),
        row('… memory of service, PDF processes, qpdf and Poppler', uploaded.ours, 'MB'),
        row(`${result.pages} pages: memory of service and PDF processes`, ours, 'MB', { atMost: 512 }),
        row(`${result.pages} pages: memory of Chromium`, browser, 'MB'),
        row(`${result.pages} pages: size`, result.pdf.length / 1e6, 'MB'),
      ],
      data: { times, own },
    };
  } finally {
    await renderer.close();
    remove();
  }
}

type Memory = { ours: number; browser: number };

/**
 * Returns the memory of this process and all below it in MB, Chromium's separately. It is the proportional set size,
 * which divides shared memory (such as the program itself) among its processes.
 */
function resident(): Memory {
  const memory: Memory = { ours: 0, browser: 0 };
  for (const pid of treeOf(process.pid)) {
    const isBrowser = /chrom/.test(procFile(`${pid}/cmdline`).split('\0')[0] ?? '');
    const kb = Number(/^Pss:\s+(\d+)/m.exec(procFile(`${pid}/smaps_rollup`))?.[1] ?? 0);
    memory[isBrowser ? 'browser' : 'ours'] += kb / 1024;
  }
  return memory;
}

/** Returns the largest memory while `work` runs, sampled every 25 ms. */
async function peakWhile<T>(work: () => Promise<T>): Promise<{ result: T } & Memory> {
  let peak = resident();
  const timer = setInterval(() => {
    const now = resident();
    peak = { ours: Math.max(peak.ours, now.ours), browser: Math.max(peak.browser, now.browser) };
  }, 25);
  try {
    return { result: await work(), ...peak };
  } finally {
    clearInterval(timer);
  }
}
