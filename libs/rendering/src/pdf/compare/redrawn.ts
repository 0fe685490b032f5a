import { PDF, PdfDict, PdfName, PdfStream } from '@libpdf/core';
import { RenderError } from '../../errors.ts';
import {
  annotationsOf,
  drawing,
  isField,
  needsDrawing,
  placedForm,
  type Redrawn,
  wordingsOf,
} from '../annotations.ts';
import { Copier } from '../copier.ts';
import { foreignFont, wantsMoreLetters } from '../fonts/foreign-fonts.ts';
import { withPdfium } from '../pdfium.ts';
import { isPlain, says, showsValue } from '../shown-words.ts';
import { openSource, type SourcePdf } from '../source.ts';
import { numbers, toBox } from '../values.ts';
import { writePdf } from '../writer.ts';

/** Returns true if the form marks the appearances of its fields as out of date (ISO 32000-1 §12.7.2). */
export function needsAppearances(source: SourcePdf): boolean {
  const form = source.pdf.getCatalog().get('AcroForm', source.resolve);
  return form instanceof PdfDict && form.getBool('NeedAppearances', source.resolve)?.value === true;
}

/**
 * Generates missing appearances with PDFium: of fields filled without a drawing, of fields whose form marks
 * them as out of date, and of comments without one. The pages are still copied from the file. `of` is
 * undefined if nothing must be drawn, which is usual; `isUnshown` is true if a drawing does not show the value
 * of its field.
 * @throws RenderError `pdf_letters` for words in letters that some viewers lack and that no drawing shows:
 * one viewer would show gaps, another an old value
 */
export async function openRedrawn(
  source: SourcePdf,
  copier: Copier,
  bytes: Uint8Array,
  target: PDF,
): Promise<{ of: ((page: number) => Redrawn) | undefined; isUnshown: boolean }> {
  const fields = needsAppearances(source);
  const isDrawn = source.pages.some((page) => needsDrawing(page, copier, fields));
  const drawn = isDrawn ? await withPdfium(bytes, (document) => document.withAppearances()) : undefined;
  const opened = drawn && (await openSource(source.name, drawn, source.pages.length).catch(() => undefined));
  const made = opened?.pages.length === source.pages.length ? opened : undefined;
  const { found, isUnshown } = await findWords(source, made, fields);
  const madeCopier = made && new Copier(made, target);
  const of = (index: number): Redrawn => {
    const page = made?.pages[index];
    return {
      made: page && madeCopier && { page, copier: madeCopier },
      fields,
      says: found[index] ?? new Map<number, 'made' | 'own'>(),
    };
  };
  return { of: isDrawn ? of : undefined, isUnshown };
}

/**
 * Returns, by page, the drawing that shows the words of an annotation, and whether a field has a drawing of
 * other words.
 * @throws RenderError `pdf_letters`
 */
async function findWords(
  source: SourcePdf,
  made: SourcePdf | undefined,
  fields: boolean,
): Promise<{ found: Map<number, 'made' | 'own'>[]; isUnshown: boolean }> {
  const sheet = PDF.create();
  const own = new Copier(source, sheet);
  const madeOnes = made && new Copier(made, sheet);
  const looked = source.pages.map((page, at) => ({
    page: made?.pages[at],
    of: wordingsOf(page, own, fields),
  }));
  for (const { page, of } of looked) {
    for (const { index, annot, isRedrawn } of of) {
      const drawn = isRedrawn && page && madeOnes && annotationsOf(page, madeOnes)[index];
      addDrawing(sheet, drawn || undefined, madeOnes);
      addDrawing(sheet, annot, own);
    }
  }
  const texts = sheet.getPageCount() === 0 ? [] : await textsOf(sheet);
  const drawings = Array.from({ length: sheet.getPageCount() }, (_, index) => {
    const page = sheet.getPage(index)?.dict ?? new PdfDict();
    const font = foreignFont(page, (ref) => sheet.getObject(ref), wantsMoreLetters);
    return { text: texts[index] ?? '', isWhole: font === undefined };
  });
  let at = 0;
  let isUnshown = false;
  const found = looked.map(({ of }) => {
    const which = new Map<number, 'made' | 'own'>();
    for (const { index, annot, words, isRedrawn } of of) {
      const [byMade, byOwn] = drawings.slice(at, (at += 2));
      const isFree = isPlain(words);
      const isShown = [byMade, byOwn].some((one) => one && showsValue(one.text, annot, words, own.resolve));
      if (!isRedrawn) {
        isUnshown ||= !isShown;
        continue;
      }
      const isSaidBy = (one: typeof byMade): boolean =>
        one !== undefined && says(one.text, words) && (isFree || one.isWhole);
      if (isSaidBy(byMade)) which.set(index, 'made');
      else if (isSaidBy(byOwn)) which.set(index, 'own');
      else if (!isFree) throw unknownLetters(source.name, isField(annot, own));
      else isUnshown ||= isField(annot, own) && !isShown;
    }
    return which;
  });
  return { found, isUnshown };
}

/** Adds a page with one appearance only, or an empty page. */
function addDrawing(sheet: PDF, annot: PdfDict | undefined, copier: Copier | undefined): void {
  const placed = annot && copier && placedForm(annot, copier);
  const [x0, y0, x1, y1] = (annot && copier && toBox(annot.get('Rect'), copier.resolve)) ?? [0, 0, 1, 1];
  const page = PdfDict.of({
    Type: PdfName.of('Page'),
    MediaBox: numbers(x0, y0, Math.max(x1, x0 + 1), Math.max(y1, y0 + 1)),
  });
  if (placed) {
    page.set('Resources', PdfDict.of({ XObject: PdfDict.of({ Drawn: sheet.register(placed.form) }) }));
    page.set('Contents', sheet.register(new PdfStream([], Buffer.from(drawing('Drawn', placed.matrix)))));
  }
  sheet.insertPage(sheet.getPageCount(), page);
}

async function textsOf(sheet: PDF): Promise<string[]> {
  return (await withPdfium(Buffer.concat(writePdf(sheet)), (document) => document.texts())) ?? [];
}

function unknownLetters(name: string, ofField: boolean): RenderError {
  const place = ofField
    ? "form field whose letters are not in the form's fonts"
    : 'comment whose letters no viewer here can draw';
  const why = `"${name}" has a ${place}. Please print it to PDF and upload that file.`;
  return new RenderError('pdf_letters', why, { file: name });
}
