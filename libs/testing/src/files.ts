/** Documents for tests, all made here: PDF and Word files with given texts. */
import { PDF } from '@libpdf/core';
import { strToU8, zipSync } from 'fflate';

/** An A4 PDF with one page per text. */
export async function textPdf(...pages: string[]): Promise<Uint8Array> {
  const pdf = PDF.create();
  for (const text of pages) pdf.addPage({ size: 'a4' }).drawText(text, { x: 60, y: 700, size: 24 });
  return pdf.save();
}

const SCHEMAS = 'http://schemas.openxmlformats.org';
const RELATIONSHIPS = 'application/vnd.openxmlformats-package.relationships+xml';
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** A minimal DOCX with one paragraph per text; `extra` replaces or adds package parts. */
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
