import { pageCount, textOf, tool } from '@karaar/testing/pdf-judges';

/** Inspects a PDF with poppler. `seal` is the output of pdfsig, which exits with 0 for every signature. */
export async function inspectPdf(pdf: Uint8Array) {
  const [pages, text, seal] = await Promise.all([
    pageCount(pdf),
    textOf(pdf),
    tool('pdfsig', (file) => ['-nocert', file], pdf),
  ]);
  return { pages, text, seal };
}
