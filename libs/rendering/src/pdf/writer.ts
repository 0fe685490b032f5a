import { randomBytes } from 'node:crypto';
import type { PDF, PdfRef } from '@libpdf/core';
import { Writer, writeValue } from '@karaar/pdf-syntax';

/**
 * Writes a PDF: the objects that the catalog and the information dictionary reach, renumbered, with streams
 * unchanged. The library's writer rounds numbers to five decimals, which visibly widens the letters of a Type
 * 3 font with a matrix of 1/2048, and copies pictures several times. Returns the file in pieces, to avoid
 * another copy.
 * @throws Error for a PDF without a catalog
 */
export function writePdf(pdf: PDF): Uint8Array[] {
  const { trailer } = pdf.context.info;
  const root = trailer.getRef('Root');
  const info = trailer.getRef('Info');
  if (!root) throw new Error('The PDF has no catalog');
  const writer = new Writer();
  const numbering = new Map<number, number>();
  const queue: PdfRef[] = [];

  /** Returns the new number of an object, and queues the object at its first mention. */
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
