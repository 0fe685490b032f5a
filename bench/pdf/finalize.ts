/**
 * Making a final PDF as the finalization job does: agreement, raw files, signatures and certificate composed,
 * then sealed (design §4). Time at ten pages in all, memory at 138. Database and storage are not in it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRenderer } from '@karaar/rendering/renderer';
import { agreement, rawFile } from '@karaar/rendering/testing/samples';
import { textPdf } from '@karaar/testing/made-up/files';
import { createSealer } from '@karaar/sealing';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import type { Measured } from '../lib/parts.ts';
import { row } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { peakWhile } from './memory.ts';

const ROUNDS = size('BENCH_ROUNDS', 15, 1);
const SMALL = 10;
const LARGE = isSmoke ? 20 : 138;

export async function measureFinalize(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-bench-finalize-'));
  const workDir = join(folder, 'work');
  const renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: folder } });

  /** Input whose raw file has so many pages: made when it was uploaded, on the disk, as the job has them. */
  const inputOf = async (raw: number) => {
    const text = (_: unknown, i: number) =>
      `Page ${i + 1}. The tenant pays the rent by the 5th of each month.`;
    const bytes = await textPdf(...Array.from({ length: raw }, text));
    const path = join(folder, `raw-${raw}.pdf`);
    const { name, kind, sha256 } = rawFile('lease.pdf', 'pdf', bytes);
    const made = await renderer.prepareUpload({ name, kind, bytes });
    await writeFile(path, made.pdf);
    const prepared = rawFile(name, kind, made.pdf);
    return agreement({ files: [{ name, kind, sha256, path, pages: { path, sha256: prepared.sha256 } }] });
  };
  const make = async (input: Awaited<ReturnType<typeof inputOf>>) => {
    const composed = await renderer.composeFinalPdf(input);
    return { pages: composed.pages.total, pdf: (await sealer.seal(composed.pdf)).pdf };
  };
  try {
    const own = (await make(await inputOf(1))).pages - 1; // warms up, and says how many pages are ours
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
    await rm(folder, { recursive: true });
  }
}
