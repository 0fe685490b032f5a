import { docx } from '@karaar/testing/made-up/files';
import { requireOfficeFonts } from './office-fonts.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const inFont = (font: string, text: string): string =>
  `</w:t></w:r><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr><w:t>${text}</w:t></w:r><w:r><w:t>`;
const check = (body: string, parts: Record<string, string> = {}) =>
  requireOfficeFonts('Lease.docx', docx([body], parts));
const KRUTI = 'Kruti Dev 010';

it('a Word file in a font from before Unicode is refused: without the font its letters are others', () => {
  const refusal = expect.objectContaining({
    code: 'pdf_fonts',
    file: 'Lease.docx',
    message: expect.stringContaining(KRUTI),
  });
  expect(() => check(inFont(KRUTI, 'fdjk;k'))).toThrow(refusal);
  const styles = `<w:styles ${W}><w:style w:type="paragraph" w:styleId="Body"><w:rPr><w:rFonts w:ascii="${KRUTI}"/></w:rPr></w:style></w:styles>`;
  const styled = '</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="Body"/></w:pPr><w:r><w:t>fdjk;k';
  expect(() => check(styled, { 'word/styles.xml': styles })).toThrow(refusal);
});

it('is taken with the font in it, in other fonts, or where no text is set in it', () => {
  const table = `<w:fonts ${W}><w:font w:name="${KRUTI}"><w:embedRegular r:id="a"/></w:font></w:fonts>`;
  expect(() => check(inFont(KRUTI, 'fdjk;k'), { 'word/fontTable.xml': table })).not.toThrow();
  for (const font of ['Mangal', 'Calibri', 'Wingdings', 'Nirmala UI'])
    expect(() => check(inFont(font, 'text'))).not.toThrow();
  expect(() => check(inFont(KRUTI, ' '))).not.toThrow();
  const mark = `</w:t></w:r></w:p><w:p><w:pPr><w:rPr><w:rFonts w:ascii="${KRUTI}"/></w:rPr></w:pPr><w:r><w:t>text`;
  expect(() => check(mark)).not.toThrow();
  expect(() => requireOfficeFonts('x.docx', Buffer.from('not a file'))).not.toThrow();
});

it('a font is known by the defaults, by what a style is based on, and by the theme', () => {
  const styles = (inner: string): Record<string, string> => ({
    'word/styles.xml': `<w:styles ${W}>${inner}</w:styles>`,
  });
  const fonts = `<w:rPr><w:rFonts w:ascii="${KRUTI}" w:hAnsi="${KRUTI}"/></w:rPr>`;
  const defaults = `<w:docDefaults><w:rPrDefault>${fonts}</w:rPrDefault></w:docDefaults>`;
  const usual = `<w:style w:type="paragraph" w:default="1" w:styleId="Normal">${fonts}</w:style>`;
  const based = `<w:style w:type="paragraph" w:styleId="Base">${fonts}</w:style><w:style w:type="paragraph" w:styleId="Body"><w:basedOn w:val="Base"/></w:style>`;
  const inBody = '</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="Body"/></w:pPr><w:r><w:t>fdjk;k';
  expect(() => check('fdjk;k', styles(defaults))).toThrow(KRUTI);
  expect(() => check('fdjk;k', styles(usual))).toThrow(KRUTI);
  expect(() => check(inBody, styles(based))).toThrow(KRUTI);
  const themed =
    '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:asciiTheme="minorHAnsi"/></w:rPr></w:rPrDefault></w:docDefaults>';
  const theme = `<a:theme xmlns:a="a"><a:minorFont><a:latin typeface="${KRUTI}"/></a:minorFont></a:theme>`;
  expect(() => check('fdjk;k', { ...styles(themed), 'word/theme/theme1.xml': theme })).toThrow(KRUTI);
  // Text in a font of its own is not in the usual one.
  const own = `</w:t></w:r><w:r><w:rPr><w:rFonts w:ascii="Calibri"/></w:rPr><w:t>text</w:t></w:r><w:r><w:t> `;
  expect(() => check(own, styles(defaults))).not.toThrow();
});

it('an RTF file is refused for text in such a font, and not for one that is only in its list', () => {
  const rtf = (body: string): Buffer =>
    Buffer.from(
      `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fnil Arial;}{\\f1\\fnil\\fcharset0 ${KRUTI};}}${body}}`,
    );
  const checked = (body: string) => () => requireOfficeFonts('Lease.doc', rtf(body));
  expect(checked('\\f1 fdjk;k\\par')).toThrow(KRUTI);
  expect(checked('{\\b\\f1 fdjk;k}')).toThrow(KRUTI);
  expect(checked('text {\\f1  } text')).not.toThrow();
  expect(checked('{\\f1\\plain text}\\par')).not.toThrow();
  expect(checked('{\\stylesheet{\\s1\\f1 Title;}}text')).not.toThrow();
  const usual = Buffer.from(`{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fnil\\fcharset0 ${KRUTI};}}fdjk;k\\par}`);
  expect(() => requireOfficeFonts('Lease.doc', usual)).toThrow(KRUTI);
});

it('is looked at in one pass, whatever it holds', () => {
  const begun = performance.now();
  for (const tag of ['<w:pPr>', '<w:r ', '<w:t', '<', '<w:rFonts w:ascii="'])
    expect(() => check('x', { 'word/header1.xml': tag.repeat(500_000) })).not.toThrow();
  for (const endless of ['a', ' a', '/', ' w:ascii="'])
    expect(() => check('x', { 'word/header1.xml': `<w:t${endless.repeat(200_000)}` })).not.toThrow();
  expect(performance.now() - begun).toBeLessThan(10_000);
});

it('is not looked at beyond what fits into memory many times over', () => {
  const large = `<w:p/>${' '.repeat(8 * 1024 * 1024 - 100)}`;
  const parts = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`word/header${i}.xml`, large]));
  const beyond = `<w:p><w:r><w:rFonts w:ascii="${KRUTI}"/><w:t>${'fdjk;k'.repeat(1_000)}</w:t></w:r></w:p>`;
  expect(() => check('x', { ...parts, 'word/footer1.xml': beyond })).not.toThrow();
  expect(() => check('x', { 'word/footer1.xml': beyond })).toThrow(KRUTI);
});
