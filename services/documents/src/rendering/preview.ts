import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfficeConverter } from './office.ts';
import type { PdfEngine } from './pdf-engine.ts';
import { readWhole } from './read-whole.ts';
import type { FilePreview, RawFileKind, RenderLimits } from './types.ts';

/**
 * How a raw file looks before it is part of a final PDF: pages, the first one as a JPEG, and a PDF of a Word
 * file. Throws RenderError.
 */
export async function makePreview(
  file: { name: string; kind: RawFileKind; path: string },
  tools: { dir: string; office: OfficeConverter; pdf: PdfEngine; limits: RenderLimits; signal: AbortSignal },
): Promise<FilePreview> {
  const { dir, office, pdf, limits, signal } = tools;
  const { name, kind } = file;
  let { path } = file;
  let converted: Uint8Array | undefined;
  if (kind === 'doc' || kind === 'docx') {
    converted = await office.convert({ name, kind, path }, { signal });
    path = join(dir, 'preview.pdf');
    await writeFile(path, converted);
  }
  const out = join(dir, 'thumbnail.jpg');
  const drawn = kind === 'image' ? 'image' : 'pdf';
  const [pages = 1] = await pdf.request(
    { op: 'thumbnail', kind: drawn, name, path, out, maxPixels: limits.imagePixels },
    { signal },
  );
  return { pages, thumbnail: await readWhole(out), pdf: converted };
}
