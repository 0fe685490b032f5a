import { createHash } from 'node:crypto';
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream, PdfString } from '@libpdf/core';
import type { ValidationData } from '@karaar/proof/seal/sealed-file';
import { Writer, writeValue } from '@karaar/pdf-syntax';
import { SealError } from './errors.ts';

/** A PDF with an appended certification signature that lacks only the signature's value. */
export interface Unsealed {
  digest: Buffer;
  /**
   * Returns the file with the value in its place.
   * @throws SealError `seal_failed` when the value is too large
   */
  fill(cms: Uint8Array): Uint8Array;
}

const FIELD = 'KaraarSeal';
const BYTE_RANGE_WIDTH = 10;
/** Flags of the invisible field: printed, locked (ISO 32000-1 table 165). */
const PRINT_LOCKED = 132;
/** SignaturesExist | AppendOnly (table 219). */
const SIG_FLAGS = 3;

/**
 * Appends the certifying revision to a PDF without a form: the signature with DocMDP P=1 (no change allowed,
 * ISO 32000-1 §12.8.2.2), its field, and a catalog that refers to both. The original bytes stay unchanged.
 * @throws SealError `not_sealable`
 */
export async function appendSignature(
  original: Uint8Array,
  options: { reason: string; at: Date; reserved: number; validation?: ValidationData },
): Promise<Unsealed> {
  const base = await readBase(original);
  const first = base.size; // the first free object number
  const [signature, form, field] = [first, first + 1, first + 2];
  const out = new Writer(original.length);
  const offsets = new Map<number, number>();
  const object = (number: number, write: () => void): void => {
    offsets.set(number, out.position);
    out.text(`${number} 0 obj\n`);
    write();
    out.text('\nendobj\n');
  };
  const value = (dict: PdfDict | PdfStream): void => writeValue(out, dict, (ref) => ref.objectNumber);

  let byteRangeAt = 0;
  let contentsAt = 0;
  out.text('\n');
  object(signature, () => {
    out.text('<</Type /Sig/Filter /Adobe.PPKLite/SubFilter /ETSI.CAdES.detached/ByteRange ');
    byteRangeAt = out.position;
    out.text(byteRangeText([0, 0, 0, 0]));
    out.text('/Contents ');
    contentsAt = out.position;
    out.text(`<${'0'.repeat(options.reserved * 2)}>`);
    out.text(`/M (${dateText(options.at)})/Reason `);
    writeValue(out, PdfString.fromString(options.reason), () => 0);
    out.text('/Reference [<</Type /SigRef/TransformMethod /DocMDP');
    out.text('/TransformParams <</Type /TransformParams/P 1/V /1.2>>>>]>>');
  });
  object(form, () =>
    value(PdfDict.of({ Fields: new PdfArray([PdfRef.of(field, 0)]), SigFlags: PdfNumber.of(SIG_FLAGS) })),
  );
  object(field, () =>
    value(
      PdfDict.of({
        Type: PdfName.of('Annot'),
        Subtype: PdfName.of('Widget'),
        FT: PdfName.of('Sig'),
        T: PdfString.fromString(FIELD),
        V: PdfRef.of(signature, 0),
        F: PdfNumber.of(PRINT_LOCKED),
        P: base.firstPage,
        Rect: new PdfArray([0, 0, 0, 0].map((n) => PdfNumber.of(n))),
      }),
    ),
  );
  const store = options.validation && writeStore(object, value, first + 3, options.validation);
  object(base.root.objectNumber, () => {
    const catalog = base.catalog.clone();
    catalog.set('AcroForm', PdfRef.of(form, 0));
    catalog.set('Perms', PdfDict.of({ DocMDP: PdfRef.of(signature, 0) }));
    if (store !== undefined) catalog.set('DSS', PdfRef.of(store, 0));
    value(catalog);
  });
  writeTrailer(out, base, offsets);

  const tail = Buffer.concat(out.pieces());
  const length = original.length + tail.length;
  const contentsEnd = contentsAt + options.reserved * 2 + 2;
  const range = byteRangeText([0, contentsAt, contentsEnd, length - contentsEnd]);
  tail.write(range, byteRangeAt - original.length, 'latin1');
  const digest = createHash('sha256')
    .update(original)
    .update(tail.subarray(0, contentsAt - original.length))
    .update(tail.subarray(contentsEnd - original.length))
    .digest();

  return {
    digest,
    fill(cms) {
      if (cms.length > options.reserved)
        throw new SealError('seal_failed', 'The signature is larger than its place.');
      tail.write(Buffer.from(cms).toString('hex'), contentsAt + 1 - original.length, 'latin1');
      return Buffer.concat([original, tail], length);
    },
  };
}

/**
 * Writes the document security store (ISO 32000-2 §12.8.4.3), with its streams numbered from `first`. Returns
 * its own number.
 */
function writeStore(
  object: (number: number, write: () => void) => void,
  value: (dict: PdfDict | PdfStream) => void,
  first: number,
  data: ValidationData,
): number {
  let next = first;
  const streams = (list: readonly Uint8Array[]): PdfArray =>
    new PdfArray(
      list.map((der) => {
        const number = next;
        next += 1;
        object(number, () => value(new PdfStream([], der)));
        return PdfRef.of(number, 0);
      }),
    );
  const entries = {
    Certs: streams(data.certificates),
    OCSPs: streams(data.ocsps),
    CRLs: streams(data.crls),
  };
  object(next, () => value(PdfDict.of({ Type: PdfName.of('DSS'), ...entries })));
  return next;
}

interface Base {
  root: PdfRef;
  catalog: PdfDict;
  firstPage: PdfRef;
  info: PdfRef | undefined;
  id: string;
  /** The highest object number plus one. */
  size: number;
  xref: number;
}

async function readBase(original: Uint8Array): Promise<Base> {
  const pdf = await PDF.load(original).catch((cause: unknown) => {
    throw new SealError('not_sealable', 'The file to seal is not a PDF.', cause);
  });
  if (pdf.recoveredViaBruteForce || pdf.isEncrypted || pdf.usesXRefStreams) {
    throw new SealError('not_sealable', 'The file to seal is damaged, or not written by Karaar.');
  }
  if (pdf.hasForm())
    throw new SealError('not_sealable', 'The file to seal has a form or a signature already.');
  const { trailer } = pdf.context.info;
  const root = trailer.getRef('Root');
  const firstPage = pdf.context.pages.getPage(0);
  const size = trailer.getNumber('Size')?.value;
  const end = Buffer.from(original.buffer, original.byteOffset, original.byteLength).toString(
    'latin1',
    original.length - 64,
  );
  const xref = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(end)?.[1];
  if (!root || !firstPage || size === undefined || xref === undefined) {
    throw new SealError('not_sealable', 'The file to seal is damaged.');
  }
  const id = trailer.getArray('ID')?.at(0);
  return {
    root,
    firstPage,
    size,
    catalog: pdf.getCatalog(),
    info: trailer.getRef('Info'),
    id: id instanceof PdfString ? Buffer.from(id.bytes).toString('hex') : '',
    xref: Number(xref),
  };
}

function writeTrailer(out: Writer, base: Base, offsets: ReadonlyMap<number, number>): void {
  const start = out.position;
  out.text('xref\n');
  for (const [number, offset] of [...offsets].sort(([a], [b]) => a - b)) {
    out.text(`${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
  }
  const size = Math.max(...offsets.keys()) + 1;
  const info = base.info ? `/Info ${base.info.objectNumber} ${base.info.generation} R` : '';
  const id = createHash('sha256').update(`${base.id} ${start}`).digest('hex').slice(0, 32);
  out.text(`trailer\n<</Size ${size}/Root ${base.root.objectNumber} ${base.root.generation} R${info}`);
  out.text(`/Prev ${base.xref}/ID[<${base.id || id}><${id}>]>>\nstartxref\n${start}\n%%EOF\n`);
}

function byteRangeText(numbers: readonly number[]): string {
  return `[${numbers.map((n) => String(n).padEnd(BYTE_RANGE_WIDTH)).join(' ')}]`;
}

function dateText(at: Date): string {
  return `D:${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
}
