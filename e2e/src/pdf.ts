/** Looks at a PDF with the tools of a stranger (poppler). */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type PdfFacts = { pages: number; text: string; seal: string };

/** Page count, all text, and what pdfsig says (it exits 0 for everything: read its text). */
export async function inspectPdf(pdf: Uint8Array): Promise<PdfFacts> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-e2e-pdf-'));
  const file = join(folder, 'final.pdf');
  try {
    await writeFile(file, pdf);
    const [info, text, seal] = await Promise.all([
      run('pdfinfo', [file]),
      run('pdftotext', ['-layout', file, '-']),
      run('pdfsig', ['-nocert', file]),
    ]);
    return {
      pages: Number(/^Pages:\s+(\d+)/m.exec(info.stdout)?.[1]),
      text: text.stdout,
      seal: seal.stdout,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
