import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import type { PageImage } from '../images.ts';
import { shownSize, type SourcePage } from './source.ts';
import { decimal, numbers } from './values.ts';

export type ImagePart = { kind: 'image'; name: string } & PageImage;

/** A picture of a page as viewers show it, for a page whose content cannot be copied. */
export type PagePicture = { page: number } & PageImage;

const A4 = [595.28, 841.89] as const;
const MARGIN = 24;

/** Adds one A4 page, in portrait or landscape as the image is, with the image inside a narrow margin. */
export function addImagePage(target: PDF, image: ImagePart): 1 {
  const landscape = image.width > image.height;
  const [width, height] = landscape ? [A4[1], A4[0]] : A4;
  // At least 72 pixels per inch: a stamp-sized picture is not enlarged to a page.
  const scale = Math.min((width - 2 * MARGIN) / image.width, (height - 2 * MARGIN) / image.height, 1);
  const [w, h] = [image.width * scale, image.height * scale];
  addPage(target, image, [width, height], [w, h, (width - w) / 2, (height - h) / 2]);
  return 1;
}

/** Adds one page with the displayed size of `page`, filled by its picture. */
export function addPicturePage(target: PDF, page: SourcePage, picture: PagePicture): void {
  const [width, height] = shownSize(page);
  addPage(target, picture, [width, height], [width, height, 0, 0]);
}

function addPage(
  target: PDF,
  image: PageImage,
  [width, height]: readonly [number, number],
  [w, h, x, y]: readonly [number, number, number, number],
): void {
  const place = [w, 0, 0, h, x, y].map(decimal).join(' ');
  const xobject = target.register(image.format === 'jpeg' ? jpeg(image) : png(image));
  const page = PdfDict.of({
    Type: PdfName.of('Page'),
    MediaBox: numbers(0, 0, width, height),
    Resources: PdfDict.of({ XObject: PdfDict.of({ Im: xobject }) }),
    Contents: target.register(new PdfStream([], Buffer.from(`q ${place} cm /Im Do Q\n`))),
  });
  target.insertPage(target.getPageCount(), page);
}

function dictionary(image: PageImage): PdfDict {
  return PdfDict.of({
    Type: PdfName.of('XObject'),
    Subtype: PdfName.of('Image'),
    Width: PdfNumber.of(image.width),
    Height: PdfNumber.of(image.height),
    ColorSpace: PdfName.of(image.channels === 1 ? 'DeviceGray' : 'DeviceRGB'),
    BitsPerComponent: PdfNumber.of(8),
  });
}

function jpeg(image: PageImage): PdfStream {
  const dict = dictionary(image);
  dict.set('Filter', PdfName.of('DCTDecode'));
  return new PdfStream(dict, image.bytes);
}

/** PNG image data is a Flate stream with PNG predictors, which PDF reads unchanged (ISO 32000-1 §7.4.4.4). */
function png(image: PageImage): PdfStream {
  const dict = dictionary(image);
  dict.set('Filter', new PdfArray([PdfName.of('FlateDecode')]));
  const parms = PdfDict.of({
    Predictor: PdfNumber.of(15),
    Colors: PdfNumber.of(image.channels),
    BitsPerComponent: PdfNumber.of(8),
    Columns: PdfNumber.of(image.width),
  });
  dict.set('DecodeParms', new PdfArray([parms]));
  return new PdfStream(dict, imageData(image.bytes));
}

function imageData(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    if (view.getUint32(at + 4) === 0x49444154) chunks.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return Buffer.concat(chunks);
}
