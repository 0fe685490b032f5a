import { randomBytes } from 'node:crypto';
import type { PDF, PdfRef } from '@libpdf/core';
import { Writer, writeValue } from '@karaar/pdf-syntax';

/**
 * Writes a whole PDF: what the catalog and the information dictionary reach, numbered again, streams as they
 * are. The library's own writer rounds every number to five decimals, which makes the letters of a Type 3
 * font with a matrix of 1/2048 visibly wider, and copies the pictures several times. Returns the file in
 * pieces, to be written one after another without another copy.
 */
export function writePdf(pdf: PDF): Uint8Array[] {
  const { trailer } = pdf.context.info;
  const root = trailer.getRef('Root');
  const info = trailer.getRef('Info');
  if (!root) throw new Error('The PDF has no catalog');
  const writer = new Writer();
  const numbering = new Map<number, number>();
  const queue: PdfRef[] = [];

  /** The new number of an object; the first mention puts it on the list of what to write. */
  const numberOf = (ref: PdfRef): number => {
    const known = numbering.get(ref.objectNumber);
    if (known !== undefined) return known;
    queue.push(ref);
    numbering.set(ref.objectNumber, queue.length);
    return queue.length;
  };

  writer.text('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const ids = { root: numberOf(root), info: info && numberOf(info) };
  const offsets: number[] = [];
  for (let i = 0; i < queue.length; i += 1) {
    const ref = queue[i];
    const value = ref && pdf.getObject(ref);
    offsets.push(writer.position);
    writer.text(`${i + 1} 0 obj\n`);
    writeValue(writer, value ?? undefined, numberOf);
    writer.text('\nendobj\n');
  }
  const start = writer.position;
  const id = randomBytes(16).toString('hex');
  writer.text(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) writer.text(`${String(offset).padStart(10, '0')} 00000 n \n`);
  const infoEntry = ids.info === undefined ? '' : `/Info ${ids.info} 0 R `;
  writer.text(
    `trailer\n<</Size ${offsets.length + 1}/Root ${ids.root} 0 R ${infoEntry}/ID[<${id}><${id}>]>>\n`,
  );
  writer.text(`startxref\n${start}\n%%EOF\n`);
  return writer.pieces();
}
