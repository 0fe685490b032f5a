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
import { report } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import { peakWhile } from './memory.ts';

const ROUNDS = size('BENCH_ROUNDS', 15, 1);
const SMALL = 10;
const LARGE = isSmoke ? 20 : 138;

const folder = await mkdtemp(join(tmpdir(), 'karaar-bench-finalize-'));
const renderer = createRenderer({
  chromiumPath: CHROMIUM,
  sofficePath: SOFFICE,
  workDir: join(folder, 'work'),
});
const sealer = await createSealer({ key: { kind: 'dev', stateDir: folder } });

/** A PDF of so many pages, each full of text. */
const pages = (count: number): Promise<Uint8Array> =>
  textPdf(
    ...Array.from(
      { length: count },
      (_, i) => `Page ${i + 1}. The tenant pays the rent by the 5th of each month.`,
    ),
  );

/** Input whose raw file has so many pages: made when it was uploaded, on the disk, as the job has them. */
async function inputOf(raw: number) {
  const bytes = await pages(raw);
  const path = join(folder, `raw-${raw}.pdf`);
  const { name, kind, sha256 } = rawFile('lease.pdf', 'pdf', bytes);
  const made = await renderer.prepareUpload({ name, kind, bytes });
  await writeFile(path, made.pdf);
  const prepared = rawFile(name, kind, made.pdf);
  return agreement({ files: [{ name, kind, sha256, path, pages: { path, sha256: prepared.sha256 } }] });
}

try {
  const make = async (input: Awaited<ReturnType<typeof inputOf>>) => {
    const composed = await renderer.composeFinalPdf(input);
    return { pages: composed.pages.total, pdf: (await sealer.seal(composed.pdf)).pdf };
  };
  const own = (await make(await inputOf(1))).pages - 1; // warms up, and tells how many pages are ours
  const small = await inputOf(SMALL - own);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    const { pages: total } = await make(small);
    times.push(performance.now() - started);
    if (total !== SMALL) throw new Error(`${total} pages instead of ${SMALL}`);
  }
  const uploading = performance.now();
  const { result: large, ours: uploadMemory } = await peakWhile(() => inputOf(LARGE - own));
  const uploadMs = performance.now() - uploading;
  const { result, ours, browser } = await peakWhile(() => make(large));
  process.exitCode = report({
    name: 'finalize',
    rows: [
      {
        what: `${SMALL} pages with certificate, median`,
        value: median(times),
        unit: 'ms',
        budget: { atMost: 1500 },
      },
      {
        what: `upload of ${LARGE - own} pages, made and compared: time per page`,
        value: uploadMs / (LARGE - own),
        unit: 'ms',
        budget: { atMost: 1000 },
      },
      { what: '… memory of service, PDF processes, qpdf and Poppler', value: uploadMemory, unit: 'MB' },
      {
        what: `${result.pages} pages: memory of service and PDF processes`,
        value: ours,
        unit: 'MB',
        budget: { atMost: 512 },
      },
      {
        what: `${result.pages} pages: memory of Chromium`,
        value: browser,
        unit: 'MB',
      },
      { what: `${result.pages} pages: size`, value: result.pdf.length / 1e6, unit: 'MB' },
    ],
    data: { times, own },
  });
} finally {
  await renderer.close();
  await rm(folder, { recursive: true });
}
