import { type PDF, PdfDict } from '@libpdf/core';
import { RenderError } from '../../errors.ts';
import { hasUndrawableValue, needsDrawing, type Redrawn } from '../annotations.ts';
import { Copier } from '../copier.ts';
import { withPdfium } from '../pdfium.ts';
import { openSource, type SourcePdf } from '../source.ts';

/** Whether a file's form says that the appearances of its fields are out of date (ISO 32000-1 §12.7.2). */
export function needsAppearances(source: SourcePdf): boolean {
  const form = source.pdf.getCatalog().get('AcroForm', source.resolve);
  return form instanceof PdfDict && form.getBool('NeedAppearances', source.resolve)?.value === true;
}

/**
 * The appearances that a file lacks, as PDFium makes them: of fields that were filled without being drawn, of fields
 * whose form says that what is drawn is out of date, of comments that have none. The pages themselves are still
 * copied from the file. Answers undefined where nothing is to be drawn, which is the rule; else, by page, where the
 * appearances are. Throws `pdf_letters` where a value is in letters that nothing there can draw.
 */
export async function openRedrawn(
  source: SourcePdf,
  copier: Copier,
  bytes: Uint8Array,
  target: PDF,
): Promise<((page: number) => Redrawn | undefined) | undefined> {
  const fields = needsAppearances(source);
  if (!source.pages.some((page) => needsDrawing(page, copier, fields))) return undefined;
  if (source.pages.some((page) => hasUndrawableValue(page, copier))) {
    throw new RenderError(
      'pdf_letters',
      `"${source.name}" has a form field whose letters are not in the form's fonts. Please print it to PDF and upload that file.`,
      { file: source.name },
    );
  }
  const drawn = await withPdfium(bytes, (document) => document.withAppearances());
  if (!drawn) return undefined;
  const redrawn = await openSource(source.name, drawn, source.pages.length).catch(() => undefined);
  if (redrawn?.pages.length !== source.pages.length) return undefined;
  const redrawnCopier = new Copier(redrawn, target);
  return (index) => {
    const page = redrawn.pages[index];
    return page && { copier: redrawnCopier, page, fields };
  };
}
