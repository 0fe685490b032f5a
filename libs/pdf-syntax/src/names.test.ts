import { PDF, PdfDict, PdfName, PdfRef } from '@libpdf/core';
import fc from 'fast-check';
import { nameBytes, withReadableNames, Writer, writeValue } from './serialize.ts';

const escaped = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) =>
    byte > 32 && byte < 127 && !'#()<>[]{}/%'.includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `#${byte.toString(16).padStart(2, '0')}`,
  ).join('');

/** Returns a file with the name as a value and as a key, and a string and a stream that look like names. */
function fileWith(name: string): Buffer {
  const data = `/F#e9 endstream (#c3) /${name}`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Value 3 0 R >>`,
    '<< /Type /Pages /Kids [] /Count 0 >>',
    `<< /Name /${name} /${name} (/#e9 \\( #ff) /Hex <23> /Stream 4 0 R >>`,
    `<< /Length ${data.length} >>\nstream\n${data}\nendstream`,
  ];
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const places = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

async function readAgain(file: Uint8Array): Promise<{ dict: PdfDict; stream: Buffer }> {
  const pdf = await PDF.load(withReadableNames(file));
  const [dict, stream] = [pdf.getObject(PdfRef.of(3)), pdf.getObject(PdfRef.of(4))];
  if (!(dict instanceof PdfDict) || !stream || !('data' in stream)) throw new Error('An object is missing');
  return { dict, stream: Buffer.from(stream.data as Uint8Array) };
}

it.each([
  ['GBK', [0xcb, 0xce, 0xcc, 0xe5]],
  ['GBK with a blank', [0xcb, 0x20, 0xce]],
  ['Latin-1', [0x41, 0xe9]],
  ['Shift JIS', [0x82, 0x6c, 0x82, 0x72, 0x23]],
  ['UTF-8', [...Buffer.from('नमस्ते ₹')]],
  ['what the place of a byte looks like', [0xee, 0x82, 0x80]],
] as const)('a name in %s is written with the bytes that were read', async (_, bytes) => {
  const name = escaped(Uint8Array.from(bytes));
  const { dict } = await readAgain(fileWith(name));
  const writer = new Writer();
  writeValue(writer, dict, (ref) => ref.objectNumber);
  const written = Buffer.concat(writer.pieces()).toString('latin1');
  expect(written).toContain(`/Name /${name}`);
  expect(written).toContain(`/${name} <2f236539202820236666>`);
});

it('any name keeps its bytes, and strings and streams stay unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 12 }), async (raw) => {
      const bytes = raw.map((byte) => byte || 1); // a name cannot contain zero bytes
      const file = fileWith(escaped(bytes));
      const { dict, stream } = await readAgain(file);
      const value = dict.get('Name');
      expect(Buffer.from(nameBytes(value instanceof PdfName ? value.value : ''), 'latin1')).toEqual(
        Buffer.from(bytes),
      );
      expect(stream.toString('latin1')).toBe(`/F#e9 endstream (#c3) /${escaped(bytes)}`);
    }),
  );
});

it('a file without such names is returned unchanged', () => {
  const file = fileWith('Plain#20name');
  expect(withReadableNames(file)).toBe(file);
});
