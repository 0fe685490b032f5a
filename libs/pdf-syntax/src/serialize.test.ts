import {
  PDF,
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNumber,
  PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';
import fc from 'fast-check';
import { Writer, writeValue } from './serialize.ts';

const latin1 = (writer: Writer): string => Buffer.concat(writer.pieces()).toString('latin1');

const written = (value: Parameters<typeof writeValue>[1], numberOf = (ref: PdfRef) => ref.objectNumber) => {
  const writer = new Writer();
  writeValue(writer, value, numberOf);
  return latin1(writer);
};

/** Parses text as a value, as the only entry of a catalog, with the library's own reader. */
async function readAgain(text: string) {
  const head = '%PDF-1.7\n';
  const catalog = `1 0 obj\n<</Type /Catalog/Pages 2 0 R/Value ${text}>>\nendobj\n`;
  const pages = '2 0 obj\n<</Type /Pages/Kids []/Count 0>>\nendobj\n';
  const at = (offset: number): string => `${String(offset).padStart(10, '0')} 00000 n \n`;
  const table = `xref\n0 3\n0000000000 65535 f \n${at(head.length)}${at(head.length + catalog.length)}`;
  const start = head.length + catalog.length + pages.length;
  const file = `${head}${catalog}${pages}${table}trailer\n<</Size 3/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  const pdf = await PDF.load(Buffer.from(file, 'latin1'));
  const root = pdf.getObject(PdfRef.of(1));
  return root instanceof PdfDict ? root.get('Value') : undefined;
}

it('writes each kind of value', () => {
  const value = new PdfDict([
    ['A', PdfNumber.of(1.5)],
    ['B', new PdfArray([PdfBool.of(true), PdfRef.of(7), PdfName.of('X')])],
    ['C', PdfString.fromBytes(new Uint8Array([0, 40, 255]))],
  ]);
  expect(written(value)).toBe('<</A 1.5/B [true 7 0 R /X ]/C <0028ff>>>');
  expect(written(undefined)).toBe('null');
});

it('writes references with their number in the new file', () => {
  expect(written(PdfRef.of(7), () => 3)).toBe('3 0 R');
});

it('writes the data of a stream unchanged, with its length', () => {
  const stream = new PdfStream([['Length', PdfNumber.of(99)]], Buffer.from('q Q'));
  expect(written(stream)).toBe('<</Length 3>>\nstream\nq Q\nendstream');
});

it('escapes characters that a name may not contain', () => {
  expect(written(PdfName.of('a b/c#(é)'))).toBe('/a#20b#2fc#23#28#c3#a9#29');
});

it('writes small numbers without an exponent', () => {
  expect(written(PdfNumber.of(1e-7))).toBe('0.0000001');
});

it('writes numbers and strings that readers parse to the same values', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: -1e9, max: 1e9, noNaN: true }).filter((n) => n === 0 || Math.abs(n) > 1e-4),
      fc.uint8Array({ maxLength: 40 }),
      async (number, bytes) => {
        const value = new PdfArray([PdfNumber.of(number), PdfString.fromBytes(bytes)]);
        const again = await readAgain(written(value));
        expect(again).toBeInstanceOf(PdfArray);
        const [first, second] = again instanceof PdfArray ? [...again] : [];
        expect(first instanceof PdfNumber && first.value).toBeCloseTo(number, 10);
        expect(second instanceof PdfString && Buffer.from(second.bytes)).toEqual(Buffer.from(bytes));
      },
    ),
  );
});

it('refuses values that nest deeper than in any real file', () => {
  let value = new PdfArray([]);
  for (let i = 0; i < 600; i += 1) value = new PdfArray([value]);
  expect(() => written(value)).toThrow('Values nest too deep');
});

it('knows the position of the next byte', () => {
  const writer = new Writer(100);
  writer.text('é');
  writer.data(new Uint8Array(4));
  writer.text('%%');
  expect(writer.position).toBe(107);
  expect(latin1(writer)).toBe('é\0\0\0\0%%');
});
