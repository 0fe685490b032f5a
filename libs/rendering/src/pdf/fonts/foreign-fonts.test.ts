import { assemble } from '../assemble.ts';
import { onePage, type RawObject } from '../../testing/raw-pdf.ts';

/** Returns the font that is reported as missing; `font` is object 5, its parts are 6 and 7. */
async function missing(font: RawObject, content: string, parts: readonly RawObject[] = []) {
  const bytes = onePage(content, {
    page: '/Resources << /Font << /F 5 0 R /H 10 0 R >> /XObject << /X 9 0 R >> >>',
    more: [
      font,
      parts[0] ?? '<< >>',
      parts[1] ?? '<< >>',
      { stream: 'not a font, but there' },
      { dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200]', stream: 'BT /F 12 Tf <0041> Tj ET' },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ],
  });
  const metadata = { title: 't', subject: 's', createdAt: new Date(0).toISOString() };
  return (await assemble([{ kind: 'pdf', name: 'a.pdf', bytes }], metadata, 9)).foreign;
}

const composite =
  '<< /Type /Font /Subtype /Type0 /BaseFont /SimSun-GBK-EUC-H /Encoding /GBK-EUC-H /DescendantFonts [6 0 R] >>';
const descendant =
  '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 7 0 R >>';
const descriptor = (file: string): string => `<< /Type /FontDescriptor /FontName /SimSun /Flags 4 ${file} >>`;
const shown = 'BT /F 12 Tf 10 10 Td <D6D0> Tj ET';
const simple = (name: string, rest = ''): string =>
  `<< /Type /Font /Subtype /TrueType /BaseFont /${name} ${rest} >>`;

describe('a font that the file does not embed', () => {
  it('is reported if a page shows text in it', async () => {
    const parts = [descendant, descriptor('')];
    expect(await missing(composite, shown, parts)).toEqual({ page: 0, font: 'SimSun-GBK-EUC-H' });
    expect(await missing(composite, 'BT /F 12 Tf [<D6D0> -20 (x)] TJ ET', parts)).toBeDefined();
    expect(await missing(composite, 'q /X Do Q', parts)).toBeDefined();
  });

  it('is not reported if it is embedded, unused, invisible, or without letters', async () => {
    expect(await missing(composite, shown, [descendant, descriptor('/FontFile2 8 0 R')])).toBeUndefined();
    const quiet = (content: string) => missing(simple('KrutiDev010'), content);
    expect(await quiet('BT /H 12 Tf (Words) Tj ET')).toBeUndefined();
    expect(await quiet('BT 3 Tr /F 12 Tf (behind a scan) Tj ET')).toBeUndefined();
    expect(await quiet('BT q /F 12 Tf Q (Words) Tj ET')).toBeUndefined();
    expect(await quiet('BT /F 12 Tf ( ) Tj () Tj ET')).toBeUndefined();
    for (const blanks of ['<00030003> Tj', '[<0003> -20 <0003 0003>] TJ', '(\\000\\003) Tj'])
      expect(
        await missing(composite, `BT /F 12 Tf ${blanks} ET`, [descendant, descriptor('')]),
      ).toBeUndefined();
    expect(
      await missing(composite, 'BT /F 12 Tf [<0003> <0024>] TJ ET', [descendant, descriptor('')]),
    ).toBeDefined();
    expect(await quiet('BT /F 12 Tf (fdjk;k) Tj ET')).toEqual({ page: 0, font: 'KrutiDev010' });
  });

  it.each([
    'ABCDEF+Wingdings-Regular',
    'Kruti#20Dev#20010',
    'DVB-TTYogesh',
    'Shree-Dev-0714',
    'ISFOC-Hindi',
    'TSCu_Paranar',
  ])('is reported if its letters are special: %s', async (name) =>
    expect(await missing(simple(name), 'BT /F 12 Tf (abc) Tj ET')).toBeDefined(),
  );

  it.each([
    'ArialMT',
    'Calibri',
    'TimesNewRomanPS-BoldMT',
    'Symbol',
    'ZapfDingbats',
    'Mangal',
    'DeutscheSans',
  ])('is not reported if viewers have a font with the same letters: %s', async (name) =>
    expect(await missing(simple(name), 'BT /F 12 Tf (abc) Tj ET')).toBeUndefined(),
  );
});
