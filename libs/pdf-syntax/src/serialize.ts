import {
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';
import { nameBytes } from './names.ts';

export { nameBytes, withReadableNames } from './names.ts';

/** Returns the number of a referenced object in the new file. */
export type NumberOf = (ref: PdfRef) => number;

/** No program writes deeper values. */
const MAX_DEPTH = 500;

/**
 * Writes any value. References get their number from `numberOf`; the data of streams stays unchanged.
 * @throws Error when values nest deeper than 500 levels
 */
export function writeValue(out: Writer, value: PdfObject | undefined, numberOf: NumberOf, depth = 0): void {
  if (depth > MAX_DEPTH) throw new Error('Values nest too deep');
  if (value instanceof PdfRef) out.text(`${numberOf(value)} 0 R`);
  else if (value instanceof PdfName) out.text(nameText(value.value));
  else if (value instanceof PdfNumber) out.text(numberText(value.value));
  else if (value instanceof PdfStream) writeStream(out, value, numberOf, depth);
  else if (value instanceof PdfDict) writeDict(out, value, numberOf, depth);
  else if (value instanceof PdfArray) {
    out.text('[');
    for (const item of value) {
      writeValue(out, item, numberOf, depth + 1);
      out.text(' ');
    }
    out.text(']');
  } else if (value instanceof PdfString) out.text(`<${Buffer.from(value.bytes).toString('hex')}>`);
  else out.text(value instanceof PdfBool ? String(value.value) : 'null');
}

function writeDict(out: Writer, dict: PdfDict, numberOf: NumberOf, depth: number): void {
  out.text('<<');
  for (const [key, value] of dict) {
    out.text(`${nameText(key.value)} `);
    writeValue(out, value, numberOf, depth + 1);
  }
  out.text('>>');
}

function writeStream(out: Writer, stream: PdfStream, numberOf: NumberOf, depth: number): void {
  const dict = stream.clone();
  dict.set('Length', PdfNumber.of(stream.data.length));
  writeDict(out, dict, numberOf, depth);
  out.text('\nstream\n');
  out.data(stream.data);
  out.text('\nendstream');
}

/** Returns `/Name` with everything but plain letters, digits and signs escaped (ISO 32000-1 §7.3.5). */
function nameText(name: string): string {
  const known = nameTexts.get(name);
  if (known !== undefined) return known;
  const text = nameBytes(name).replace(
    /[^!-~]|[#()<>[\]{}/%]/g,
    (c) => `#${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  if (nameTexts.size < 10_000) nameTexts.set(name, `/${text}`);
  return `/${text}`;
}

const nameTexts = new Map<string, string>();

function numberText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}

/** Collects text and data; data is not copied. */
export class Writer {
  private readonly parts: Uint8Array[] = [];
  private pending = '';
  private written: number;

  /** @param start offset of the first byte in the file */
  constructor(start = 0) {
    this.written = start;
  }

  get position(): number {
    return this.written + this.pending.length;
  }

  /** Adds Latin-1 text: one byte per character. */
  text(text: string): void {
    this.pending += text;
  }

  data(bytes: Uint8Array): void {
    this.flush();
    this.parts.push(bytes);
    this.written += bytes.length;
  }

  pieces(): Uint8Array[] {
    this.flush();
    return this.parts;
  }

  private flush(): void {
    if (this.pending === '') return;
    this.parts.push(Buffer.from(this.pending, 'latin1'));
    this.written += this.pending.length;
    this.pending = '';
  }
}
