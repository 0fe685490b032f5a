import { randomFillSync } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { PDF, PDFImage, PdfName, PdfNumber } from '@libpdf/core';

const FILES = 5;
const PAGES_PER_FILE = 10;
/** The side of each page's picture in pixels. It is noise of one byte per pixel, which cannot be compressed. */
const SIDE = 320;

/** Draws five PDFs of ten pages, 5 MB together; each page has twenty lines of text and its own picture. */
export function drawFiles(): Promise<Uint8Array[]> {
  return Promise.all(Array.from({ length: FILES }, (_, file) => drawFile(file)));
}

function drawFile(file: number): Promise<Uint8Array> {
  const pdf = PDF.create();
  for (let number = 0; number < PAGES_PER_FILE; number += 1) {
    const page = pdf.addPage({ size: 'a4', rotate: ([0, 90, 180, 270] as const)[number % 4] ?? 0 });
    for (let line = 0; line < 20; line += 1) {
      const text = `File ${file}, page ${number}, line ${line}: the tenant pays the rent by the 5th of each month.`;
      page.drawText(text, { x: 50, y: 780 - line * 14, size: 10 });
    }
    page.drawImage(noise(pdf), { x: 130, y: 100, width: SIDE, height: SIDE });
  }
  return pdf.save();
}

function noise(pdf: PDF): PDFImage {
  const entries = {
    Type: PdfName.of('XObject'),
    Subtype: PdfName.of('Image'),
    Width: PdfNumber.of(SIDE),
    Height: PdfNumber.of(SIDE),
    ColorSpace: PdfName.of('DeviceGray'),
    BitsPerComponent: PdfNumber.of(8),
    Filter: PdfName.of('FlateDecode'), // so that they are not compressed again
  };
  const pixels = deflateSync(randomFillSync(new Uint8Array(SIDE * SIDE)));
  return new PDFImage(pdf.createStream(entries, pixels), SIDE, SIDE);
}
