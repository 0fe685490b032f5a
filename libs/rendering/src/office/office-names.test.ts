import { strFromU8, unzipSync } from 'fflate';
import { docx } from '@karaar/testing/made-up/files';
import { withoutPaths } from './office-names.ts';

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
  ['of a template', [' TEMPLATE \\p'], ' TEMPLATE '],
])('a path is taken from the field of a DOCX: %s', (_, pieces, left) => {
  const made = docx([field(...pieces)], { 'word/footer1.xml': `<w:ftr>${field(...pieces)}</w:ftr>` });
  const plain = withoutPaths('docx', made);
  expect(instructions(partOf(plain))).toBe(left);
  expect(instructions(partOf(plain, 'word/footer1.xml'))).toBe(left);
});

it('a path is taken from a simple field, and from the field within a field', () => {
  const simple = '</w:t></w:r><w:fldSimple w:instr=" FILENAME \\p \\* Lower "/><w:r><w:t>';
  expect(instructions(partOf(withoutPaths('docx', docx([simple]))))).toBe(' FILENAME  \\* Lower ');
  const nested = field(` IF 1 = 1 ${field(' FILENAME \\p ')} "x" `);
  expect(instructions(partOf(withoutPaths('docx', docx([nested]))))).not.toContain('\\p');
});

it('other files and other fields stay as they are', () => {
  for (const text of [field(' FILENAME '), field(' PAGE \\p '), field(' PAGEREF a \\p '), 'FILENAME \\p']) {
    const made = docx([text]);
    expect(withoutPaths('docx', made)).toBe(made);
  }
  const broken = Buffer.from('not a file');
  expect(withoutPaths('docx', broken)).toBe(broken);
  const rtf = Buffer.from('{\\rtf1 {\\field{\\*\\fldinst PAGEREF a \\\\p}{\\fldrslt 1}} FILENAME \\\\p}');
  expect(withoutPaths('doc', rtf)).toBe(rtf);
});

it.each([
  ['{\\*\\fldinst FILENAME \\\\p }', '{\\*\\fldinst FILENAME   }'],
  ['{\\*\\fldinst {\\rtlch\\af1 \\ltrch FILENAME  \\\\p \\\\* MERGEFORMAT }}', 'MERGEFORMAT }}'],
  ['{\\*\\fldinst {FILENAME }{\\b \\\\}{\\b p}}', '{\\*\\fldinst {FILENAME }'],
])('a path is taken from the field of an RTF: %s', (field, kept) => {
  const text = `{\\rtf1 {\\field${field}{\\fldrslt C:\\\\old}} rest \\\\p}`;
  const plain = Buffer.from(withoutPaths('doc', Buffer.from(text))).toString();
  expect(plain).toContain(kept);
  expect(plain.slice(0, plain.indexOf('fldrslt'))).not.toMatch(/\\\\[\s{}]*(\\b )?p/);
  expect(plain).toContain('rest \\\\p');
});

it.each(['latin1', 'utf16le'] as const)(
  'a path is taken from the field of a DOC in %s, and no byte moves',
  (encoding) => {
    const at = (text: string): Buffer => Buffer.from(text, encoding);
    const before = Buffer.concat([Buffer.alloc(512), at('\x13 FILENAME \\* Caps \\p \x14C:\\path\x15 \\p')]);
    const after = Buffer.concat([Buffer.alloc(512), at('\x13 FILENAME \\* Caps    \x14C:\\path\x15 \\p')]);
    expect(Buffer.from(withoutPaths('doc', before))).toEqual(after);
  },
);
