import { fontFaces, MONO, SANS } from '../fonts/fonts.ts';
import { cssString, html, type Html, raw } from './html.ts';
import { LABELS } from './sentences.ts';
import { ENGLISH, type Words } from './words.ts';

const INK = '#1B1A17';
const FAINT = '#6B675E';
const BLUE = '#1F3A8A';
const HAIR = '#DDD7CA';

const STYLE = `
*{box-sizing:border-box;margin:0;padding:0}
html{background:#FAF8F4;color:${INK};font:400 10pt/1.5 '${SANS}',sans-serif;
 font-variant-numeric:tabular-nums;font-feature-settings:'tnum';-webkit-print-color-adjust:exact;hyphens:none}
a{color:inherit;text-decoration:none}
body{padding:0 .3mm;overflow-wrap:anywhere;unicode-bidi:plaintext}
.mono{font-family:'${MONO}','${SANS}',monospace;font-variant-ligatures:none;word-spacing:-.35em}
.flow{display:table;width:100%;table-layout:fixed}
.again{display:table-header-group;break-inside:avoid}
.rest{display:table-row-group}
.rest>div{display:table-cell}
.top{display:flex;margin-bottom:5mm;align-items:baseline;justify-content:space-between;padding-bottom:3mm;border-bottom:.6pt solid ${INK}}
.word{font-size:15pt;font-weight:600;color:${BLUE};line-height:1}
.word small{font-size:11pt;font-weight:600;color:${INK};margin-left:2mm}
.part{font-size:8pt;letter-spacing:.07em;text-transform:uppercase;color:${FAINT}}
h1{font-size:23pt;line-height:1.22;font-weight:600;margin:2mm 0 1.5mm;letter-spacing:-.012em}
h2{font-size:8pt;font-weight:600;letter-spacing:.07em;text-transform:uppercase;color:${BLUE};margin:6.5mm 0 2mm;break-after:avoid}
.lead{color:${FAINT};font-size:10.5pt;max-width:125mm}
.sheet{background:#fff;border:.5pt solid ${HAIR};border-radius:2.6mm;padding:5mm 6mm}
dl.facts{display:grid;grid-template-columns:repeat(4,1fr);gap:4.5mm 5mm}
dt{font-size:7.5pt;color:${FAINT}}
dd{font-weight:600}
.total dd{font-size:15pt;line-height:1.25}
table{width:100%;border-collapse:collapse}
th{font-size:7.5pt;font-weight:400;color:${FAINT};text-align:left;padding:0 3mm 1.2mm 0}
td{border-top:.5pt solid ${HAIR};padding:1.4mm 3mm 1.4mm 0;vertical-align:baseline}
tr{break-inside:avoid}
th.num,td.num{text-align:right;padding-right:0;white-space:nowrap}
.faint{color:${FAINT};font-weight:400}
.small{font-size:8.2pt}
.pre{white-space:pre-wrap}
.keep{break-inside:avoid}
svg.seal{display:block;transform:rotate(-9deg)}
`;

/**
 * Indian scripts have no capitals, hang from a line that letter spacing would cut, and are taller than Latin.
 */
const INDIC = `
:is(h1,h2,.part):not(:lang(en)){letter-spacing:0;text-transform:none}
h1:not(:lang(en)){line-height:1.4}
:is(h2,.part):not(:lang(en)){font-size:9pt}
`;

/** A part of a file, which begins on a new page. */
export interface SheetPart {
  part: Html | string;
  body: Html;
  style?: string;
  /** In the part's language; English by default. */
  words?: Words;
  /** A name for links, whose targets the printed file lists by page. */
  id?: string;
  /**
   * The pages of other files between the part before and this one. A blank page is printed in their place,
   * and page numbers count them.
   */
  between?: number;
}

/** Returns the parts as one complete page that loads no resources. */
export function sheet(options: {
  title: string;
  code: string;
  /** The pages of the whole file; the printer counts those of a file that has no others. */
  total?: number;
  parts: readonly SheetPart[];
}): string {
  const { code, parts } = options;
  const footer = `font:400 7.5pt '${SANS}',sans-serif;color:${FAINT};vertical-align:top;padding-top:4mm`;
  const total = options.total === undefined ? 'counter(pages)' : `"${options.total}"`;
  const languages = new Map(parts.map(({ words = ENGLISH }) => [words.language, words]));
  const numbers = [...languages].map(
    ([language, words]) => `@page ${language}{@bottom-right{content:${pageOf(words, total)};${footer}}}
.part-${language}{page:${language}}`,
  );
  const elsewhere = parts.reduce((sum, { between = 0 }) => sum + between, 0);
  const page = `@page{size:A4;margin:15mm 18mm 18mm;background:#FAF8F4;
@bottom-left{content:${cssString(`Karaar · ${code}`)};${footer}}}
${numbers.join('')}
@page between{counter-increment:page ${elsewhere};@bottom-left{content:none}}
.between{page:between}
.own+.own{break-before:page}`;
  const body = html`${parts.map(
    ({ between, id, words: { language } = ENGLISH, ...content }) =>
      html`${between !== undefined && html`<div class="own between"></div>`}
        <div class="own part-${language}" lang="${language}-IN" ${id && html`id="${id}"`}>
          ${flow(content)}
        </div>`,
  )}`;
  const footers = [...languages.values()].map((of) => of.say('pageOf', { page: '', total: '' }).markup);
  const fonts = fontFaces(body.markup + code + footers.join(''));
  const styles = [...new Set(parts.map(({ style = '' }) => style))].join('');
  return html`<!doctype html>
    <html lang="${parts[0]?.words?.language ?? 'en'}-IN">
      <head>
        <meta charset="utf-8" />
        <title>${options.title}</title>
        <style>
          ${raw(fonts)}${raw(page)}${raw(STYLE)}${raw(styles)}${raw(INDIC)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup;
}

/** A table, because its header is repeated at the top of every page. */
const flow = ({ part, body }: Pick<SheetPart, 'part' | 'body'>): Html =>
  html`<div class="flow">
    <div class="again">
      <header class="top">
        <span class="word">${LABELS.wordmark}</span><span class="part">${part}</span>
      </header>
    </div>
    <div class="rest"><div>${body}</div></div>
  </div>`;

/** Returns "Page 3 of 12" as a CSS value, in the order of the language. */
function pageOf(words: Words, total: string): string {
  const values: Record<string, string> = { page: 'counter(page)', total };
  return words
    .tokens('pageOf')
    .map((token) => (token.type === 'content' ? cssString(token.value) : 'arg' in token && values[token.arg]))
    .join(' ');
}
