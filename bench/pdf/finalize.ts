/** The finalization job without database and storage: agreement, raw files, signatures and certificate. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRenderer } from '@karaar/rendering/renderer';
import { agreement, rawFile } from '@karaar/rendering/testing/samples';
import { textPdf } from '@karaar/testing/made-up/files';
import { createSealer } from '@karaar/sealing';
import { memoryMb, procFile, treeOf } from '@karaar/testing/processes/proc';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { scratch } from '@karaar/testing/scratch';
import { row, type Measured } from '../lib/report.ts';
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
  /** Composes and seals a final PDF. @returns its number of pages */
  const make = async (input: Awaited<ReturnType<typeof inputOf>>): Promise<number> => {
    const composed = await renderer.composeFinalPdf(input);
    await sealer.seal(composed.pdf);
    return composed.pages.total;
  };
  try {
    const own = (await make(await inputOf(1))) - 1; // warms up; the pages that we add
    const small = await inputOf(SMALL - own);
    const times: number[] = [];
    while (times.length < ROUNDS) {
      const started = performance.now();
      const pages = await make(small);
      times.push(performance.now() - started);
      if (pages !== SMALL) throw new Error(`${pages} pages instead of ${SMALL}`);
    }
    const uploading = performance.now();
    const large = await inputOf(LARGE - own);
    const perPage = (performance.now() - uploading) / (LARGE - own);
    const { result: pages, mb } = await peakWhile(() => make(large));
    return {
      rows: [
        row(`${SMALL} pages with certificate, median`, median(times), 'ms', { atMost: 1500 }),
        row(`upload of ${LARGE - own} pages, made and compared: time per page`, perPage, 'ms', {
          atMost: 1000,
        }),
        row(`${pages} pages: memory of service and PDF processes`, mb, 'MB', { atMost: 512 }),
      ],
      data: { times, own },
    };
  } finally {
    await renderer.close();
    remove();
  }
}

/** Returns the memory of this process and all below it, without Chromium; shared memory is divided among processes. */
function residentMb(): number {
  const isChromium = (pid: number) => /chrom/.test(procFile(`${pid}/cmdline`).split('\0')[0] ?? '');
  return treeOf(process.pid)
    .filter((pid) => !isChromium(pid))
    .reduce((sum, pid) => sum + memoryMb(pid), 0);
}

/** Returns the largest memory while `work` runs, sampled every 25 ms. */
async function peakWhile<T>(work: () => Promise<T>): Promise<{ result: T; mb: number }> {
  let mb = residentMb();
  const timer = setInterval(() => (mb = Math.max(mb, residentMb())), 25);
  try {
    const result = await work();
    return { result, mb };
  } finally {
    clearInterval(timer);
  }
}
