import { PDF } from '@libpdf/core';
import { strToU8, zipSync } from 'fflate';

/** Returns an A4 PDF with one page per text. */
export async function textPdf(...pages: string[]): Promise<Uint8Array> {
  const pdf = PDF.create();
  for (const text of pages) pdf.addPage({ size: 'a4' }).drawText(text, { x: 60, y: 700, size: 24 });
  return pdf.save();
}

/** Returns one page with words and an arrow that only one renderer draws: it would be stored as a picture. */
export function arrowPdf(words: string): Uint8Array {
  const content = `BT /F1 14 Tf 20 150 Td (${words}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Annots [6 0 R] /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Annot /Subtype /Line /Rect [0 0 200 200] /L [20 100 180 100] /LE [/None /ClosedArrow] /C [1 0 0] /IC [1 0 0] /BS << /W 4 >> >>',
  ];
  return pdfOf(objects.map((object) => Buffer.from(object, 'latin1')));
}

/**
 * Returns one page with words and a signed field whose drawing claims a valid signature; the signature itself
 * is meaningless.
 */
export function signedPdf(words: string): Uint8Array {
  const content = `BT /F1 14 Tf 20 150 Td (${words}) Tj ET`;
  const drawing = 'q .9 1 .9 rg 0 0 160 40 re f 0 .4 0 rg BT /F1 12 Tf 6 16 Td (Signature valid) Tj ET Q';
  const fonts = '/Resources << /Font << /F1 5 0 R >> >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [6 0 R] >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Annots [6 0 R] ${fonts} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /F 132 /Rect [20 60 180 100] /P 3 0 R /V 8 0 R /AP << /N 7 0 R >> >>',
    `<< /Type /XObject /Subtype /Form /BBox [0 0 160 40] ${fonts} /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 20 10] /Contents <3000> >>',
  ];
  return pdfOf(objects.map((object) => Buffer.from(object, 'latin1')));
}

/** Returns a PDF of these objects; the first is the catalog. */
export function pdfOf(objects: readonly Buffer[]): Uint8Array {
  let file = '%PDF-1.7\n';
  const places = objects.map((object, i) => {
    const at = String(file.length).padStart(10, '0');
    file += `${i + 1} 0 obj\n${object.toString('latin1')}\nendobj\n`;
    return `${at} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}

const SCHEMAS = 'http://schemas.openxmlformats.org';
const RELATIONSHIPS = 'application/vnd.openxmlformats-package.relationships+xml';
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** Returns a minimal DOCX with one paragraph per text; `extra` replaces or adds package parts. */
export function docx(paragraphs: readonly string[], extra: Record<string, string> = {}): Uint8Array {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="${SCHEMAS}/package/2006/content-types"><Default Extension="rels" ContentType="${RELATIONSHIPS}"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${MAIN}"/></Types>`,
    '_rels/.rels': `<?xml version="1.0"?><Relationships xmlns="${SCHEMAS}/package/2006/relationships"><Relationship Id="rId1" Type="${SCHEMAS}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${SCHEMAS}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ...extra,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}
