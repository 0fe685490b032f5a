import { strFromU8, unzipSync, zipSync } from 'fflate';
import { docx } from '@karaar/testing/made-up/files';
import { compoundFile, fieldsOfDoc } from '../testing/compound-file.ts';
import { asSeen } from './office-fields.ts';

const field = (...pieces: string[]): string =>
  `</w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r>${pieces.map((text) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`).join('')}<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>`;

const partOf = (bytes: Uint8Array, part = 'word/document.xml'): string =>
  strFromU8(unzipSync(bytes)[part] ?? new Uint8Array(0));
const instructions = (xml: string): string =>
  [...xml.matchAll(/<w:instrText[^<>]*>([^<]*)|w:instr="([^"]*)"/g)].map(([, a, b]) => a ?? b).join('');

it.each([
  ['in one piece', [' FILENAME \\p '], ' FILENAME  '],
  ['in several pieces', [' FILE', 'NAME ', '\\', 'p', ' \\* MERGEFORMAT '], ' FILENAME  \\* MERGEFORMAT '],
  ['in small letters', [' filename \\P \\* Upper'], ' filename  \\* Upper'],
])('removes the path from the field of a DOCX: %s', (_, pieces, left) => {
  const made = docx([field(...pieces)], { 'word/footer1.xml': `<w:ftr>${field(...pieces)}</w:ftr>` });
  const plain = asSeen('docx', made);
  expect(instructions(partOf(plain))).toBe(left);
  expect(instructions(partOf(plain, 'word/footer1.xml'))).toBe(left);
});

it('removes the path from a simple field, and from a nested field', () => {
  const simple = '</w:t></w:r><w:fldSimple w:instr=" FILENAME \\p \\* Lower "/><w:r><w:t>';
  expect(instructions(partOf(asSeen('docx', docx([simple]))))).toBe(' FILENAME  \\* Lower ');
  const nested = field(` IF 1 = 1 ${field(' FILENAME \\p ')} "x" `);
  expect(instructions(partOf(asSeen('docx', docx([nested]))))).not.toContain('\\p');
});

it('keeps text that only web pages hide, as Word prints it', () => {
  const made = docx(['</w:t></w:r><w:r><w:rPr><w:b/><w:webHidden/></w:rPr><w:t>12</w:t></w:r><w:r><w:t>']);
  expect(partOf(asSeen('docx', made))).toContain('<w:rPr><w:b/></w:rPr><w:t>12');
});

it('names each style without a name by its id, because the converter ignores such styles', () => {
  const part = 'word/styles.xml';
  const styles = (name: string): string =>
    `<w:styles><w:style w:styleId="Body">${name}<w:rPr/></w:style><w:style w:styleId="B"><w:name w:val="B b"/></w:style></w:styles>`;
  for (const name of ['', '<w:name w:val=""/>', "<w:name w:val=' '/>"])
    expect(partOf(asSeen('docx', docx(['x'], { [part]: styles(name) })), part)).toBe(
      styles('<w:name w:val="Body"/>'),
    );
});

it('keeps other files and other fields unchanged', () => {
  for (const text of [field(' FILENAME '), field(' PAGE \\p '), field(' PAGEREF a \\p '), 'FILENAME \\p']) {
    const made = docx([text]);
    expect(asSeen('docx', made)).toBe(made);
  }
  const broken = Buffer.from('not a file');
  expect(asSeen('docx', broken)).toBe(broken);
  const rtf = Buffer.from('{\\rtf1 {\\field{\\*\\fldinst PAGEREF a \\\\p}{\\fldrslt 1}} FILENAME \\\\p}');
  expect(asSeen('doc', rtf)).toBe(rtf);
});

it.each([
  ['{\\*\\fldinst FILENAME \\\\p }', '{\\*\\fldinst FILENAME   }'],
  ['{\\*\\fldinst {\\rtlch\\af1 \\ltrch FILENAME  \\\\p \\\\* MERGEFORMAT }}', 'MERGEFORMAT }}'],
  ['{\\*\\fldinst {FILENAME }{\\b \\\\}{\\b p}}', '{\\*\\fldinst {FILENAME }'],
])('removes the path from the field of an RTF: %s', (field, kept) => {
  const text = `{\\rtf1 {\\field${field}{\\fldrslt C:\\\\old}} rest \\\\p}`;
  const plain = Buffer.from(asSeen('doc', Buffer.from(text))).toString();
  expect(plain).toContain(kept);
  expect(plain.slice(0, plain.indexOf('fldrslt'))).not.toMatch(/\\\\[\s{}]*(\\b )?p/);
  expect(plain).toContain('rest \\\\p');
});

it.each(['latin1', 'utf16le'] as const)(
  'removes the path from the field of a DOC in %s, and moves no byte',
  (encoding) => {
    const at = (text: string): Buffer => Buffer.from(text, encoding);
    const before = Buffer.concat([Buffer.alloc(512), at('\x13 FILENAME \\* Caps \\p \x14C:\\path\x15 \\p')]);
    const after = Buffer.concat([Buffer.alloc(512), at('\x13 FILENAME \\* Caps    \x14C:\\path\x15 \\p')]);
    expect(Buffer.from(asSeen('doc', before))).toEqual(after);
  },
);

describe('the result that the author saw replaces a field', () => {
  const run = (inner: string): string => `<w:r>${inner}</w:r>`;
  const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
  const instruction = (text: string): string =>
    run(`<w:instrText xml:space="preserve">${text}</w:instrText>`);
  const words = (text: string): string => run(`<w:t>${text}</w:t>`);
  const complex = (command: string, result: string): string =>
    `${mark('begin')}${command}${mark('separate')}${result}${mark('end')}`;
  const seen = (runs: string, part = 'word/document.xml'): string =>
    partOf(asSeen('docx', docx(['x'], { [part]: `<w:document><w:p>${runs}</w:p></w:document>` })), part);
  const textOf = (xml: string): string => [...xml.matchAll(/<w:t>([^<]*)/g)].map(([, text]) => text).join('');

  const OTHERS = [
    'AUTHOR',
    'USERNAME \\* Upper',
    'USERINITIALS',
    'USERADDRESS',
    'LASTSAVEDBY',
    'DATE \\@ &quot;dd/MM/yyyy&quot;',
    'TIME',
    'CREATEDATE',
    'SAVEDATE',
    'PRINTDATE',
    'EDITTIME',
    'REVNUM',
    'FILESIZE \\k',
    'TEMPLATE \\p',
    'NUMWORDS',
    'NUMCHARS',
    'TITLE',
    'SUBJECT',
    'KEYWORDS',
    'COMMENTS',
    'INFO Author',
    'DOCPROPERTY Company',
    'DOCVARIABLE a',
    'INCLUDETEXT &quot;C:\\\\secret.docx&quot;',
    'INCLUDEPICTURE &quot;file:///etc/passwd&quot; \\d',
    'LINK Excel.Sheet.8 &quot;C:\\\\a.xls&quot;',
    'DDEAUTO c:\\\\windows cmd',
    'DATABASE \\d x',
    'MERGEFIELD Name',
    'IF 1 > 2 a b',
    '= 2 + 2',
    'QUOTE x',
    'author',
  ];
  it.each(OTHERS)('of %s, written in one run, in several, and as a simple field', (text) => {
    const pieces = [...text].map((letter) => instruction(letter.replace('&', '&amp;'))).join('');
    for (const command of [instruction(` ${text} `), pieces]) {
      const xml = seen(words('A') + complex(command, words('seen') + words(' twice')) + words('B'));
      expect(xml).not.toMatch(/fldChar|instrText/);
      expect(textOf(xml)).toBe('Aseen twiceB');
    }
    const simple = `<w:fldSimple w:instr=" ${text.replace('>', '&gt;')} " w:dirty="true">${words('seen')}</w:fldSimple>`;
    expect(seen(words('A') + simple)).toBe(
      `<w:document><w:p>${words('A')}${words('seen')}</w:p></w:document>`,
    );
    expect(textOf(seen(`${words('A')}<w:fldSimple w:instr="${text.replace('>', '&gt;')}"/>`))).toBe('A');
  });

  it('in headers, footers and notes too, with any XML prefix', () => {
    for (const part of ['word/header1.xml', 'word/footer2.xml', 'word/footnotes.xml', 'Word/Document.xml'])
      expect(seen(complex(instruction('DATE'), words('1 May')), part)).not.toContain('fldChar');
    const other = complex(instruction('DATE'), words('1 May')).replaceAll('w:', 'x:');
    expect(seen(other)).not.toContain('fldChar');
  });

  it.each([
    'PAGE',
    'NUMPAGES \\* Arabic',
    'PAGEREF _Toc1 \\h',
    'REF a',
    'TOC \\o',
    'HYPERLINK &quot;https://example.org&quot;',
    'FORMTEXT',
    'SEQ Table',
    'FILENAME',
    ' Page ',
  ])('not of %s, which depends on the pages or the text', (text) => {
    const runs = complex(instruction(text), words('1'));
    expect(seen(runs)).toContain(runs);
    const simple = `<w:fldSimple w:instr="${text}">${words('1')}</w:fldSimple>`;
    expect(seen(simple)).toContain(simple);
  });

  it('of a nested field: prints no part of an instruction, and keeps a live field in a result', () => {
    const date = complex(instruction('DATE'), words('today'));
    const condition = complex(instruction('IF ') + date + instruction(' = 1 "x" "y"'), words('x'));
    expect(textOf(seen(condition))).toBe('x');
    const page = complex(instruction('PAGE'), words('7'));
    const xml = seen(complex(instruction('QUOTE'), words('on ') + page));
    expect(textOf(xml)).toBe('on 7');
    expect(xml).toContain(page);
    const simple = `<w:fldSimple w:instr="TITLE">${page}</w:fldSimple>`;
    expect(seen(simple)).toBe(`<w:document><w:p>${page}</w:p></w:document>`);
    // In a live field whose instruction holds another field.
    expect(textOf(seen(complex(instruction('REF ') + date, words('there'))))).toBe('todaythere');
  });

  it('not if a field does not end, or fields nest deeper than any program writes', () => {
    const open = mark('begin') + instruction('DATE') + mark('separate') + words('today');
    expect(seen(open)).toContain(open);
    const deep = (mark('begin') + instruction('DATE')).repeat(5000);
    expect(seen(deep)).toContain(deep);
  });

  it.each([
    ['{\\field{\\*\\fldinst DATE \\\\@ "d MMM"}{\\fldrslt 1 May}}', '{{ 1 May}}'],
    ['{\\field\\flddirty{\\*\\fldinst {\\b USER}{NAME }}{\\fldrslt {\\b Asha}}}', '{{ {\\b Asha}}}'],
    [
      '{\\field{\\*\\fldinst INCLUDEPICTURE "file:///a.png" \\\\d}{\\fldrslt {\\pict\\bin3 }{}}}}',
      '{{ {\\pict\\bin3 }{}}}}',
    ],
    ['{\\field{\\*\\fldinst IF {\\field{\\*\\fldinst DATE}{\\fldrslt d}} = 1 x y}{\\fldrslt x}}', '{{ x}}'],
  ])('of a field in RTF: %s', (field, left) => {
    const made = Buffer.from(asSeen('doc', Buffer.from(`{\\rtf1 A ${field} B}`, 'latin1'))).toString(
      'latin1',
    );
    expect(made.replace(/\\fldrslt ?/g, '')).toBe(`{\\rtf1 A ${left.replaceAll('{ ', '{')} B}`);
    expect(made).not.toContain('fld');
  });

  it('not of a field in RTF that depends on the pages', () => {
    const rtf = Buffer.from('{\\rtf1 {\\field{\\*\\fldinst { PAGE }}{\\fldrslt 1}}}');
    expect(asSeen('doc', rtf)).toBe(rtf);
  });

  it('of a field in a DOC: its mark gets an unknown field number, and no other byte moves', () => {
    for (const isSmall of [true, false]) {
      const before = fieldsOfDoc([0x1f, 0x21, 0x11, 0x44, 0x58], { isSmall });
      const after = Buffer.from(asSeen('doc', before));
      expect(after).toEqual(fieldsOfDoc([0x02, 0x21, 0x02, 0x02, 0x58], { isSmall }));
    }
    const other = compoundFile({ WordDocument: Buffer.alloc(5000), '1Table': Buffer.alloc(5000) });
    expect(Buffer.from(asSeen('doc', other))).toEqual(other);
  });
});

it('in a DOCX only links to click lead to content outside the file', () => {
  const relation = (type: string, target: string, mode = ' TargetMode="External"'): string =>
    `<Relationship Id="r" Type="http://x/relationships/${type}" Target="${target}"${mode}/>`;
  const rels = [
    'image',
    'subDocument',
    'attachedTemplate',
    'oleObject',
    'aFChunk',
    'frame',
    'mailMergeSource',
  ].map((type) => relation(type, `file:///etc/${type}`));
  const kept = [relation('hyperlink', 'https://example.org/a'), relation('image', 'media/a.png', '')];
  for (const part of ['word/_rels/document.xml.rels', 'word/_rels/settings.xml.rels', '_rels/.rels']) {
    const made = docx(['x'], { [part]: `<Relationships>${[...rels, ...kept].join('')}</Relationships>` });
    const xml = partOf(asSeen('docx', made), part);
    expect(xml).not.toContain('file:');
    for (const one of kept) expect(xml).toContain(one);
  }
  const single = `<Relationships><Relationship TargetMode='External' Target='file:///etc/a' Type='x/image'/></Relationships>`;
  const made = zipSync({ ...unzipSync(docx(['x'])), 'word/_rels/a.rels': Buffer.from(single) });
  expect(partOf(asSeen('docx', made), 'word/_rels/a.rels')).not.toContain('file:');
});

it('any content is scanned in one pass', () => {
  const begun = performance.now();
  for (const piece of [
    '<w:fldChar ',
    '<w:fldSimple w:instr="',
    '<w:t',
    '<w:instrText>',
    '<w:fldChar w:fldCharType="begin"/>',
  ])
    expect(() => asSeen('docx', docx([], { 'word/header1.xml': piece.repeat(200_000) }))).not.toThrow();
  for (const piece of ['{\\field', '{\\*\\fldinst ', '\\bin9 ', '{', '}'])
    expect(() => asSeen('doc', Buffer.from(`{\\rtf1 \\fldinst ${piece.repeat(200_000)}`))).not.toThrow();
  expect(performance.now() - begun).toBeLessThan(20_000);
});
