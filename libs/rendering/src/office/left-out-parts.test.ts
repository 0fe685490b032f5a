import { docx } from '@karaar/testing/made-up/files';
import { compoundFile } from '../testing/compound-file.ts';
import { partsOfWord } from './left-out-parts.ts';

const word = (inside: string, extra: Record<string, string> = {}) =>
  docx([`Rent</w:t></w:r>${inside}<w:r><w:t>Terms`], extra);
const run = (props: string, text: string): string => `<w:r><w:rPr>${props}</w:rPr><w:t>${text}</w:t></w:r>`;
const object = (attributes: string): string =>
  `<w:r><w:object><o:OLEObject xmlns:o="urn:o" ${attributes} r:id="rId9" xmlns:r="urn:r"/></w:object></w:r>`;
const rels = (attributes: string) => ({
  'word/_rels/document.xml.rels': `<Relationships><Relationship Id="rId9" ${attributes}/></Relationships>`,
});
const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const styled = (style: string, inside: string): string =>
  `</w:p><w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${inside}</w:p><w:p>`;
const HIDING = {
  'word/styles.xml':
    '<w:styles><w:style w:styleId="Hid"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Base"><w:basedOn w:val="Hid"/></w:style><w:style w:styleId="Shown"><w:basedOn w:val="Hid"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>',
};

describe('of a DOCX', () => {
  it('WordArt in a font from before Unicode is refused, because it becomes a drawing', () => {
    const art = (font: string) =>
      word(
        `<w:r><w:pict><v:textpath style="font-family:&quot;${font}&quot;" string="xksiuh;"/></w:pict></w:r>`,
      );
    expect(() => partsOfWord('lease.docx', 'docx', art('Kruti Dev 010'))).toThrow(
      expect.objectContaining({ code: 'pdf_fonts', file: 'lease.docx' }),
    );
    expect(partsOfWord('lease.docx', 'docx', art('Arial'))).toEqual([]);
  });

  it.each<[string, Uint8Array, string[]]>([
    ['signatures', word('', { '_xmlsignatures/sig1.xml': '<Signature/>' }), ['signatures']],
    ['a comment', word('<w:r><w:commentReference w:id="0"/></w:r>'), ['comments']],
    ['hidden text', word(run('<w:b/><w:vanish/>', 'not for the tenant')), ['hidden']],
    [
      'a hidden symbol',
      word('<w:r><w:rPr><w:vanish/></w:rPr><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'),
      ['hidden'],
    ],
    [
      'hidden text after a text box',
      word(
        `<w:r><w:rPr><w:vanish/></w:rPr><w:pict><w:p>${run('', '')}</w:p></w:pict><w:t>not shown</w:t></w:r>`,
      ),
      ['hidden'],
    ],
    ['text of a hidden style', word(run('<w:rStyle w:val="Hid"/>', 'not shown'), HIDING), ['hidden']],
    ['a paragraph of a style based on it', word(styled('Base', run('', 'not shown')), HIDING), ['hidden']],
    ['a formula', word('<m:oMath xmlns:m="urn:m"><m:r><m:t>12</m:t></m:r></m:oMath>'), ['formulas']],
    [
      'a sheet of another program',
      word(object('Type="Embed" ProgID="Excel.Sheet.12" DrawAspect="Content"')),
      ['objects'],
    ],
    [
      'a picture on the disk',
      word('', rels(`Type="${TYPE}/image" Target="file:///C:/plan.png" TargetMode="External"`)),
      ['linked'],
    ],
    [
      'a film of the web',
      word('<w:r><wp15:webVideoPr xmlns:wp15="urn:v" embeddedHtml="x"/></w:r>'),
      ['media'],
    ],
  ])('%s', (_, bytes, found) => {
    expect(partsOfWord('lease.docx', 'docx', bytes)).toEqual(found);
  });

  it('a file behind an icon is refused as an attachment', () => {
    const bytes = word(object('Type="Embed" ProgID="Package" DrawAspect="Icon"'));
    expect(() => partsOfWord('lease.docx', 'docx', bytes)).toThrow(
      expect.objectContaining({ code: 'pdf_attachments', file: 'lease.docx' }),
    );
  });

  it.each([
    ['nothing', word('')],
    [
      'a web link',
      word('', rels(`Type="${TYPE}/hyperlink" Target="http://a.example" TargetMode="External"`)),
    ],
    ['a template', word('', rels(`Type="${TYPE}/attachedTemplate" Target="x.dotx" TargetMode="External"`))],
    ['a formula of the old editor', word(object('Type="Embed" ProgID="Equation.3" DrawAspect="Content"'))],
    ['text that is not hidden any more', word(run('<w:vanish w:val="0"/>', 'shown') + run('', 'shown'))],
    [
      'a hidden mark without text',
      word('<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>' + run('<w:vanish/>', ' ')),
    ],
    [
      'what was hidden before a change',
      word(run('<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>', 'shown')),
    ],
    [
      'text that a style hides and its run shows',
      word(run('<w:rStyle w:val="Hid"/><w:vanish w:val="0"/>', 'shown'), HIDING),
    ],
    ['text of a style that shows it again', word(styled('Shown', run('', 'shown')), HIDING)],
    ['signatures that were taken away', word('', { '_xmlsignatures/origin.sigs': '' })],
    ['a file that is not a package', Buffer.from('x')],
  ])('%s is not reported', (_, bytes) => {
    expect(partsOfWord('lease.docx', 'docx', bytes)).toEqual([]);
  });
});

it('a DOCX with unmatched tags is read in one pass', () => {
  const xml = `${'<w:p>'.repeat(200)}${'</w:r>'.repeat(1_000_000)}`;
  expect(partsOfWord('lease.docx', 'docx', docx([], { 'word/document.xml': xml }))).toEqual([]);
  const deep = docx([], { 'word/document.xml': '<w:p>'.repeat(1_000_000) });
  expect(partsOfWord('lease.docx', 'docx', deep)).toEqual(['hidden']);
});

it.each([
  ['w:hAnsi', '<w:rFonts w:ascii="Arial" w:hAnsi="Kruti Dev 010"/>', 'd¶k', 'dk'],
  ['w:cs', '<w:rFonts w:cs="DevLys 010"/><w:cs/>', 'fdjk;k', 'किराया'],
  ['w:cs of a run from right to left', '<w:rFonts w:cs="DevLys 010"/><w:rtl w:val="1"/>', 'fdjk;k', ' 12'],
])('letters in a font from before Unicode in %s are refused', (_, look, other, plain) => {
  expect(() => partsOfWord('lease.docx', 'docx', word(run(look, other)))).toThrow(
    expect.objectContaining({ code: 'pdf_fonts', file: 'lease.docx' }),
  );
  expect(partsOfWord('lease.docx', 'docx', word(run(look, plain)))).toEqual([]);
  const both = '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="DevLys 010"/>';
  expect(partsOfWord('lease.docx', 'docx', word(run(both, 'café')))).toEqual([]);
});

describe('of RTF under the name of a DOC', () => {
  const rtf = (inside: string) =>
    partsOfWord('lease.doc', 'doc', Buffer.from(`{\\rtf1\\ansi Rent ${inside}\\par}`));
  it.each([
    ['a comment', '{\\*\\annotation only May}', ['comments']],
    ['hidden text', '{\\v\\fs20 not for the tenant}', ['hidden']],
    [
      'a sheet of another program',
      '{\\object\\objemb\\objw10{\\*\\objclass Excel.Sheet.8}{\\*\\objdata 00}}',
      ['objects'],
    ],
    ['a linked object', '{\\object\\objautlink{\\*\\objclass Excel.Sheet.8}}', ['linked']],
    ['a formula', '{\\mmath{\\*\\moMath{\\mr 12}}}', ['formulas']],
  ])('%s', (_, inside, found) => expect(rtf(inside)).toEqual(found));

  it.each([
    '',
    '{\\v0 shown}',
    '{\\v\\v0 shown}',
    '{\\stylesheet{\\s1\\v Hidden;}}',
    '{\\v {\\xe rent}}',
    '\\vertal x',
    '{\\object\\objemb{\\*\\objclass Equation.3}}',
  ])('"%s" is not reported', (inside) => expect(rtf(inside)).toEqual([]));

  it('is scanned in one pass, also with hostile input', () => {
    const begun = performance.now();
    rtf(`{${'\\v'.repeat(200_000)}{${'\\objemb '.repeat(200_000)}${'{'.repeat(200_000)}`);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe('of a DOC', () => {
  const head = (letters = 0): Buffer => {
    const bytes = Buffer.alloc(512);
    bytes.writeUInt16LE(0xa5ec, 0);
    bytes.writeUInt16LE(0xc1, 2);
    bytes.writeUInt32LE(letters, 92);
    return bytes;
  };
  const data = Buffer.from('x');
  it.each<[string, Record<string, Buffer>, string[]]>([
    ['signatures', { '_xmlsignatures/1': data }, ['signatures']],
    ['signatures of old versions', { _signatures: data }, ['signatures']],
    ['an object', { 'ObjectPool/_1398765432/Workbook': data }, ['objects']],
    ['a formula alone', { 'ObjectPool/_1398765432/Equation Native': data }, []],
    [
      'an object beside a formula',
      { 'ObjectPool/_1/Equation Native': data, 'ObjectPool/_2/Workbook': data },
      ['objects'],
    ],
    ['comments', { WordDocument: head(12) }, ['comments']],
    ['nothing', {}, []],
  ])('%s', (_, streams, found) => {
    const bytes = compoundFile({ WordDocument: head(), ...streams });
    expect(partsOfWord('lease.doc', 'doc', bytes)).toEqual(found);
  });

  /** A DOC with one run of this format; its text is in the encoding of its piece. */
  const formatted = (text: string, properties: string, encoding: 'latin1' | 'utf16le'): Uint8Array => {
    const main = Buffer.alloc(1536);
    head().copy(main);
    const letters = Buffer.from(text, encoding);
    letters.copy(main, 512);
    main.writeUInt32LE(512, 1024);
    main.writeUInt32LE(512 + letters.length, 1028);
    const format = Buffer.from(properties, 'hex');
    main[1032] = 100;
    main[1024 + 200] = format.length;
    format.copy(main, 1024 + 201);
    main[1535] = 1;
    const table = Buffer.alloc(64);
    table.writeUInt32LE(2, 8);
    table[16] = 2;
    table.writeUInt32LE(16, 17);
    table.writeUInt32LE(text.length, 25);
    table.writeUInt32LE(encoding === 'latin1' ? 0x40000000 | 1024 : 512, 31);
    main.writeUInt32LE(12, 0xfe);
    main.writeUInt32LE(16, 0x1a2);
    main.writeUInt32LE(21, 0x1a6);
    return compoundFile({ WordDocument: main, '0Table': table });
  };
  it.each<[string, string, string, 'latin1' | 'utf16le', string[]]>([
    ['hidden text', 'not shown', '3c0801', 'latin1', ['hidden']],
    ['hidden Hindi', 'ओम', '3c0801', 'utf16le', ['hidden']],
    [
      'hidden text after other formats',
      'not shown',
      '350801434a180003c6030102033c0801',
      'latin1',
      ['hidden'],
    ],
    ['text that is shown', 'shown', '3c0800', 'latin1', []],
    ['hidden blanks', ' \r ', '3c0801', 'latin1', []],
    ['a hidden index entry', '\x13 XE "rent" \x15', '3c0801', 'latin1', []],
    ['bold text', 'shown', '350801', 'latin1', []],
  ])('%s', (_, text, properties, encoding, found) => {
    expect(partsOfWord('lease.doc', 'doc', formatted(text, properties, encoding))).toEqual(found);
  });

  it('is read to its end, whatever the bytes of its tables', () => {
    const whole = formatted('not shown', '3c0801', 'latin1');
    for (let at = 512; at <= whole.length - 4; at += 1) {
      for (const value of [0, 255]) {
        const bytes = Buffer.from(whole);
        bytes.fill(value, at, at + 4);
        expect(Array.isArray(partsOfWord('lease.doc', 'doc', bytes))).toBe(true);
      }
    }
  });

  it('a truncated file has no parts that can be found', () => {
    expect(partsOfWord('lease.doc', 'doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toEqual([]);
  });
});
