/**
 * Forged variants of a sealed file, from the published attacks: universal signature forgery (USF),
 * incremental saving (ISA), signature wrapping (SWA), shadow attacks, certification attacks, and tricks with
 * cross-references.
 */
import { anatomy, append, replace, splice } from './increments.ts';

export type Forgery = { name: string; pdf: Uint8Array };

const OVERLAY =
  '<</Type /Annot/Subtype /FreeText/Rect [0 0 600 800]/F 4/C [1 1 1]/Contents (The rent is 1 rupee)/DA (/Helv 12 Tf)>>';
const stream = (text: string): string => `<</Length ${text.length}>>\nstream\n${text}\nendstream`;
const PAINT = stream('1 1 1 rg 0 0 600 800 re f');

/** Returns all variants of `sealed`; `other` is another file sealed with the same key. */
export function forgeriesOf(sealed: Uint8Array, other: Uint8Array): Forgery[] {
  return [
    ...bitFlips(sealed),
    ...cut(sealed),
    ...byteRanges(sealed),
    ...contents(sealed, other),
    ...appended(sealed),
    ...wrapped(sealed),
    ...shadows(sealed),
    ...structure(sealed),
    ...transplants(sealed, other),
  ];
}

/** Flips one bit in every part of the file: text, signature, its padding, table, trailer. */
function bitFlips(sealed: Uint8Array): Forgery[] {
  const { contents, contentsEnd, text, startxref, revision } = anatomy(sealed);
  const spread = Array.from({ length: 40 }, (_, i) => Math.floor((i * revision) / 40));
  const marked = [
    text.lastIndexOf('/ByteRange') + 12,
    text.lastIndexOf('/M (D:') + 8,
    text.lastIndexOf('/DocMDP/'),
    text.lastIndexOf('/P 1/V') + 3,
    text.lastIndexOf('/Perms') + 3,
    text.lastIndexOf('/AcroForm') + 5,
    text.lastIndexOf('/SigFlags') + 10,
    text.lastIndexOf('/Reason') + 12,
    startxref + 8,
    startxref + 20,
    text.lastIndexOf('/Prev') + 7,
    text.lastIndexOf('/ID[<') + 8,
    sealed.length - 2,
    contents - 1,
    contentsEnd,
  ];
  const inSignature = Array.from({ length: 20 }, (_, i) => contents + 8 + i * 140);
  const inPadding = [contentsEnd - 1, contentsEnd - 2, contentsEnd - 1000];
  return [...spread, ...marked, ...inSignature, ...inPadding].map((at) => {
    const pdf = Uint8Array.from(sealed);
    const before = String.fromCharCode(pdf[at] ?? 0);
    // Another hex digit, so that the reader gets as far as the cryptography.
    const isHex = at >= contents && at < contentsEnd;
    pdf[at] = isHex ? (before === '1' ? 0x32 : 0x31) : (pdf[at] ?? 0) ^ 1;
    return { name: `bit flipped at ${at}`, pdf };
  });
}

function cut(sealed: Uint8Array): Forgery[] {
  const { revision, contents, startxref } = anatomy(sealed);
  return [0, 7, 100, revision, revision - 6, contents, contents + 500, startxref, sealed.length - 1].map(
    (end) => ({
      name: `cut at ${end}`,
      pdf: sealed.slice(0, end),
    }),
  );
}

function byteRanges(sealed: Uint8Array): Forgery[] {
  const { byteRange, contents, contentsEnd } = anatomy(sealed);
  const [, b = 0, c = 0, d = 0] = [...byteRange.matchAll(/\d+/g)].map(Number);
  const values = [
    '[0 0 0 0]',
    `[0 ${b} ${c} 0]`,
    `[0 ${b} 0 0]`,
    `[0 ${b - 1} ${c} ${d}]`,
    `[0 ${b + 1} ${c} ${d}]`,
    `[0 ${b} ${c - 1} ${d + 1}]`,
    `[0 ${b} ${c + 1} ${d - 1}]`,
    `[0 ${b} ${c} ${d - 10}]`,
    `[0 ${b} ${c} ${d + 10}]`,
    `[1 ${b - 1} ${c} ${d}]`,
    `[-1 ${b} ${c} ${d}]`,
    `[0 -${b} ${c} ${d}]`,
    `[0 ${b}]`,
    `[0 ${b} ${c}]`,
    `[0 ${b} ${c} ${d} 0 0]`,
    `[0 ${contents + 40} ${contentsEnd} ${d}]`,
    `[${c} ${d} 0 ${b}]`,
    `[0.0 ${b} ${c} ${d}]`,
    `[0 ${b} ${c} 1e9]`,
    '[]',
    'null',
    '99 0 R',
    `[0 ${sealed.length} ${sealed.length} 0]`,
  ];
  const padded = values.map((value) => ({
    name: `/ByteRange ${value}`,
    pdf: replace(sealed, byteRange, `/ByteRange ${value}`.padEnd(byteRange.length)),
  }));
  return [
    ...padded,
    { name: 'without /ByteRange', pdf: replace(sealed, byteRange, ' '.repeat(byteRange.length)) },
    { name: '/ByteRange twice', pdf: replace(sealed, byteRange, `${byteRange}${byteRange}`) },
    { name: '/ByteRange renamed', pdf: replace(sealed, '/ByteRange', '/ByteRangf') },
    { name: '/ByteRange in another case', pdf: replace(sealed, '/ByteRange', '/Byterange') },
  ];
}

function contents(sealed: Uint8Array, other: Uint8Array): Forgery[] {
  const at = anatomy(sealed);
  const hex = at.text.slice(at.contents, at.contentsEnd);
  const foreign = anatomy(other);
  const length = hex.length;
  const put = (name: string, value: string): Forgery => ({
    name: `/Contents ${name}`,
    pdf: splice(sealed, at.contents, at.contentsEnd, value.padEnd(length, '0').slice(0, length)),
  });
  return [
    put('empty', ''),
    put('one zero', '00'),
    put('a null', '0500'),
    put('an empty sequence', '3000'),
    put('of another file', foreign.text.slice(foreign.contents, foreign.contentsEnd)),
    put('in capitals', hex.toUpperCase()),
    put('with blanks', hex.replace(/^(.{20})/, '$1  ')),
    put('with a letter that is not a digit', hex.replace(/^(.{20})./, '$1x')),
    put('with something in its padding', `${hex.slice(0, -8)}deadbeef`),
    put('longer by its own length', hex.replace(/^3082..../, '3082ffff')),
    put('of indefinite length', hex.replace(/^3082..../, '30800000')),
    put('with SHA-1', hex.replaceAll('0609608648016503040201', '06052b0e03021a05000500')),
    put('with another content type', hex.replaceAll('2a864886f70d010701', '2a864886f70d010706')),
    put('twice', hex.replace(/0+$/, '').repeat(2)),
    {
      name: '/Contents removed',
      pdf: splice(sealed, at.contents - 1, at.contentsEnd + 1, ' '.repeat(length + 2)),
    },
    {
      name: '/Contents as a text',
      pdf: splice(sealed, at.contents - 1, at.contentsEnd + 1, `(${' '.repeat(length)})`),
    },
    { name: '/Contents shorter', pdf: splice(sealed, at.contentsEnd - 100, at.contentsEnd, '') },
    { name: '/Contents longer', pdf: splice(sealed, at.contentsEnd, at.contentsEnd, '00'.repeat(50)) },
    { name: '/Contents renamed', pdf: replace(sealed, '/Contents <', '/Contentz <') },
  ];
}

/** ISA: appends a revision, valid or in broken forms that some readers accept. */
function appended(sealed: Uint8Array): Forgery[] {
  const { catalog } = anatomy(sealed);
  const text = (name: string, tail: string): Forgery => ({
    name: `appended: ${name}`,
    pdf: Buffer.concat([sealed, Buffer.from(tail, 'latin1')]),
  });
  const objects = { 50: PAINT, 4: '<</Type /Page/Parent 1 0 R/MediaBox [0 0 600 800]/Contents 50 0 R>>' };
  const isa = (name: string, options: Parameters<typeof append>[2]): Forgery => ({
    name: `ISA: ${name}`,
    pdf: append(sealed, objects, options),
  });
  return [
    text('an end of line', '\n'),
    text('a blank', ' '),
    text('a zero byte', '\0'),
    text('a comment', '% nothing\n'),
    text('a second end', '%%EOF\n'),
    text('a second startxref', `startxref\n${anatomy(sealed).startxref}\n%%EOF\n`),
    text('a startxref of the first revision', 'startxref\n15\n%%EOF\n'),
    text('an object', '50 0 obj\n(x)\nendobj\n'),
    text('the whole file again', Buffer.from(sealed).toString('latin1')),
    text('many bytes', 'x'.repeat(70_000)),
    isa('page replaced', {}),
    isa('page replaced, without table', { xref: false }),
    isa('page replaced, without end', { eof: '' }),
    isa('page replaced, comment behind', { eof: '%%EOF\n% ' }),
    isa('page replaced, with an own catalog', { trailer: `/Root ${catalog} 0 R` }),
    isa('page replaced, with /XRefStm', { trailer: '/XRefStm 15' }),
    isa('page replaced, said to be encrypted', { trailer: '/Encrypt 50 0 R' }),
  ];
}

/** SWA: moves the second signed part and puts something else in its place. */
function wrapped(sealed: Uint8Array): Forgery[] {
  const at = anatomy(sealed);
  const evil = append(sealed, { 50: PAINT }).subarray(sealed.length).toString('latin1');
  const second = at.text.slice(at.contentsEnd + 1);
  const moved = `[0 ${at.contents - 1} ${at.contentsEnd + 1 + evil.length} ${second.length}]`;
  const inside = (value: string): string => `/ByteRange ${value}`.padEnd(at.byteRange.length);
  return [
    {
      name: 'SWA: between the signature and the rest',
      pdf: splice(sealed, at.contentsEnd + 1, at.contentsEnd + 1, evil),
    },
    {
      name: 'SWA: the same, /ByteRange moved along',
      pdf: replace(splice(sealed, at.contentsEnd + 1, at.contentsEnd + 1, evil), at.byteRange, inside(moved)),
    },
    {
      name: 'SWA: inside the padding',
      pdf: splice(sealed, at.contentsEnd - evil.length - 1, at.contentsEnd, `>${evil}`),
    },
    {
      name: 'SWA: the padding closed early, a copy of the rest behind it',
      pdf: splice(sealed, at.contentsEnd - second.length - 1, at.contentsEnd, `>${second}`),
    },
    {
      name: 'SWA: the first part doubled',
      pdf: Buffer.concat([Buffer.from(sealed).subarray(0, at.revision), Buffer.from(sealed)]),
    },
    { name: 'SWA: before the file', pdf: Buffer.concat([Buffer.from('%PDF-1.7\n'), sealed]) },
  ];
}

/** Shadow and certification attacks: a later revision shows something else. */
function shadows(sealed: Uint8Array): Forgery[] {
  const { catalog, signature, field } = anatomy(sealed);
  const form = field - 1;
  const add = (name: string, objects: Record<number, string>): Forgery => ({
    name: `shadow: ${name}`,
    pdf: append(sealed, objects),
  });
  const pages = (extra: string): string =>
    `<</Type /Catalog/Pages 1 0 R/AcroForm ${form} 0 R/Perms <</DocMDP ${signature} 0 R>>${extra}>>`;
  const permissive =
    Buffer.from(sealed)
      .toString('latin1')
      .match(/<<\/Type \/Sig[\s\S]*?>>>>\]>>/)?.[0] ?? '';
  return [
    add('an annotation over the text', {
      50: OVERLAY,
      4: '<</Type /Page/Parent 1 0 R/MediaBox [0 0 600 800]/Annots [50 0 R]>>',
    }),
    add('a stamp', { 50: OVERLAY.replace('FreeText', 'Stamp') }),
    add('a redaction', { 50: OVERLAY.replace('FreeText', 'Redact') }),
    add('a layer', {
      [catalog]: pages('/OCProperties <</OCGs [50 0 R]/D <</OFF [50 0 R]>>>>'),
      50: '<</Type /OCG/Name (x)>>',
    }),
    add('a layer shown when printed', {
      [catalog]: pages('/OCProperties <</OCGs [50 0 R]/D <</AS [<</Event /Print/OCGs [50 0 R]>>]>>>>'),
      50: '<</Type /OCG/Name (x)>>',
    }),
    add('a script', { [catalog]: pages('/OpenAction <</S /JavaScript/JS (app.alert(1))>>') }),
    add('an embedded file', { [catalog]: pages('/Names <</EmbeddedFiles <</Names [(x) 50 0 R]>>>>') }),
    add('other pages', {
      [catalog]: pages('').replace('/Pages 1 0 R', '/Pages 50 0 R'),
      50: '<</Type /Pages/Kids []/Count 0>>',
    }),
    add('a font', { 50: '<</Type /Font/Subtype /Type3/CharProcs <<>>>>' }),
    add('a form with a field', {
      [form]: `<</Fields [${field} 0 R 50 0 R ]/SigFlags 3>>`,
      50: '<</FT /Tx/T (rent)/V (1)>>',
    }),
    add('an XFA form', { [form]: `<</Fields [${field} 0 R ]/SigFlags 3/XFA 50 0 R>>` }),
    add('a permission to annotate', { [signature]: permissive.replace('/P 1/', '/P 3/') }),
    add('no permissions', { [catalog]: `<</Type /Catalog/Pages 1 0 R/AcroForm ${form} 0 R>>` }),
    add('another signature in the field', {
      [field]: `<</FT /Sig/T (KaraarSeal)/V 50 0 R>>`,
      50: permissive,
    }),
    add('a second signature', {
      [form]: `<</Fields [${field} 0 R 51 0 R ]/SigFlags 3>>`,
      51: '<</FT /Sig/T (Second)/V 50 0 R>>',
      50: permissive,
    }),
    add('a document timestamp', { 50: permissive.replace('ETSI.CAdES.detached', 'ETSI.RFC3161') }),
    add('validation data', { [catalog]: pages('/DSS <</Certs []>>') }),
    add('nothing', {}),
  ];
}

/** Writes the revision in forms that readers accept and the sealer never writes. */
function structure(sealed: Uint8Array): Forgery[] {
  const at = anatomy(sealed);
  const same = (name: string, from: string, to: string): Forgery => ({
    name: `structure: ${name}`,
    pdf: replace(sealed, from, to),
  });
  return [
    same('P=2', '/P 1/V', '/P 2/V'),
    same('P=3', '/P 1/V', '/P 3/V'),
    same('no P', '/P 1/V /1.2', '/V /1.2     '),
    same('approval instead of certification', '/DocMDP ', '/FocMDP '),
    same('no /Perms', '/Perms', '/Permz'),
    same(
      'UR3 instead of DocMDP',
      `/Perms <</DocMDP ${at.signature} 0 R>>`,
      `/Perms <</UR3 ${at.signature} 0 R>>   `,
    ),
    same('another sub filter', '/ETSI.CAdES.detached', '/adbe.pkcs7.detached'),
    same('an old sub filter', '/ETSI.CAdES.detached', '/adbe.pkcs7.sha1   '),
    same('a field of another type', '/FT /Sig', '/FT /Btn'),
    same('a visible field', '/Rect [0 0 0 0 ]', '/Rect [9 9 9 9 ]'),
    same('a hidden entry in the table', '00000 n \n', '00001 n \n'),
    same('a free entry', '00000 n \n', '00000 f \n'),
    same('a blank line', 'endobj\nxref', 'endobj\n\nxref'),
    same('a comment between objects', 'endobj\nxref', 'endobj\n%x\nxref'),
    same('carriage returns', 'trailer\n', 'trailer\r'),
    same('another start', `startxref\n${at.startxref}`, `startxref\n${at.startxref + 1}`),
    same(
      'a start in the first revision',
      `startxref\n${at.startxref}`,
      `startxref\n${'15'.padStart(String(at.startxref).length, '0')}`,
    ),
    same('another /Prev', '/Prev ', '/Prev 1'),
    same(
      'a /Prev that loops',
      /\/Prev \d+/.exec(at.text.slice(at.startxref))?.[0] ?? '',
      `/Prev ${at.startxref}`,
    ),
    same('another /Root', `/Root ${at.catalog} 0 R`, `/Root ${at.field} 0 R`),
    same('another header', '%PDF-1.7', '%PDF-9.9'),
    same('a later header', '%PDF-1.7', ' %PDF-1.'),
    { name: 'structure: HTML before the file', pdf: Buffer.concat([Buffer.from('<html>'), sealed]) },
    { name: 'structure: only the revision', pdf: Buffer.from(sealed).subarray(at.revision) },
    { name: 'structure: without the revision', pdf: Buffer.from(sealed).subarray(0, at.revision) },
  ];
}

function transplants(sealed: Uint8Array, other: Uint8Array): Forgery[] {
  const [a, b] = [anatomy(sealed), anatomy(other)];
  return [
    {
      name: 'transplant: the revision of another file',
      pdf: Buffer.concat([
        Buffer.from(sealed).subarray(0, a.revision),
        Buffer.from(other).subarray(b.revision),
      ]),
    },
    {
      name: 'transplant: another file below this revision',
      pdf: Buffer.concat([
        Buffer.from(other).subarray(0, b.revision),
        Buffer.from(sealed).subarray(a.revision),
      ]),
    },
    {
      name: 'transplant: one sealed file behind the other',
      pdf: Buffer.concat([Buffer.from(other), Buffer.from(sealed)]),
    },
    {
      name: 'transplant: the revision twice',
      pdf: Buffer.concat([Buffer.from(sealed), Buffer.from(sealed).subarray(a.revision)]),
    },
  ];
}
