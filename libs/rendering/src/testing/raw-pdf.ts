/** A PDF object: the text of its value, or a stream with its dictionary entries. */
export type RawObject = string | { dict?: string; stream: string };

/**
 * Returns a handwritten PDF, for structures that no library writes. Object 1 is the catalog; `objects[0]` is
 * object 1. `xref: false` omits the cross-reference table, as faulty programs do.
 */
export function rawPdf(
  objects: readonly RawObject[],
  options: { xref?: boolean; trailer?: string } = {},
): Uint8Array {
  let text = '%PDF-1.7\n';
  const offsets: number[] = [];
  objects.forEach((object, i) => {
    offsets.push(text.length);
    const value =
      typeof object === 'string'
        ? object
        : `<< ${object.dict ?? ''} /Length ${object.stream.length} >>\nstream\n${object.stream}\nendstream`;
    text += `${i + 1} 0 obj\n${value}\nendobj\n`;
  });
  const start = text.length;
  if (options.xref !== false) {
    text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
    text += offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  }
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${options.trailer ?? ''} >>\n`;
  if (options.xref !== false) text += `startxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** Returns the operators for a filled rectangle. */
export function box(colour: string, x: number, y: number, width: number, height: number): string {
  return `${colour} rg ${x} ${y} ${width} ${height} re f\n`;
}

export const RED = '1 0 0';
export const GREEN = '0 1 0';
export const BLUE = '0 0 1';

/** Returns one 200 × 200 page with this content; `page` adds entries, `more` adds objects from number 5. */
export function onePage(
  content: string,
  options: { page?: string; catalog?: string; more?: readonly RawObject[]; trailer?: string } = {},
): Uint8Array {
  return rawPdf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ''} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R ${options.page ?? ''} >>`,
      { stream: content },
      ...(options.more ?? []),
    ],
    { trailer: options.trailer ?? '' },
  );
}
