/**
 * Forms with one condition of fields each: with and without appearances, out of date, comb, choice, ticks.
 */
import { box, onePage, type RawObject } from '../raw-pdf.ts';

/** The bytes of documents, by condition. */
export type Documents = Record<string, Uint8Array>;

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
export const GREY = box('.92 .92 .92', 0, 0, 200, 200);
const utf16 = (text: string): string => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

type FieldOptions = { need?: boolean; more?: readonly RawObject[]; page?: string; fields?: string };

/** Returns one page with a widget, object 5; its font is object 6, `more` begins at 7. */
export function form(
  widget: string,
  { need = true, more = [], page = '', fields = '5 0 R' }: FieldOptions = {},
): Uint8Array {
  return onePage('', {
    catalog: `/AcroForm << /Fields [${fields}] /NeedAppearances ${need} /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 6 0 R >> >> >>`,
    page: `/Annots [5 0 R] ${page}`,
    more: [`<< /Type /Annot /Subtype /Widget /P 3 0 R /F 4 ${widget} >>`, HELVETICA, ...more],
  });
}

const RECT = '/Rect [20 100 180 130]';
export const text = (value: string, rest = ''): string =>
  `/FT /Tx /T (a) /V (${value}) /DA (/Helv 14 Tf 0 g) ${RECT} ${rest}`;
const written = (value: string): RawObject => ({
  dict: '/Subtype /Form /BBox [0 0 160 30] /Resources << /Font << /Helv 6 0 R >> >>',
  stream: `/Tx BMC BT /Helv 14 Tf 0 g 4 9 Td (${value}) Tj ET EMC`,
});
const tick: RawObject = {
  dict: '/Subtype /Form /BBox [0 0 20 20]',
  stream: '0 g 2 2 m 8 2 l 18 18 l 12 18 l f',
};
const cross: RawObject = {
  dict: '/Subtype /Form /BBox [0 0 20 20]',
  stream: '2 w 2 2 m 18 18 l 2 18 m 18 2 l S',
};
const states = '/AP << /N << /On 7 0 R /Off 8 0 R >> >>';
const boxed: RawObject = { dict: '/Subtype /Form /BBox [0 0 20 20]', stream: '1 w 1 1 18 18 re S' };
const TICK_BOX = '/Rect [20 100 40 120]';

export const fields = (): Documents => ({
  'text-no-appearance-need': form(text('Asha Rao')),
  'text-no-appearance': form(text('Asha Rao'), { need: false }),
  'text-stale-need': form(text('Asha Rao', '/AP << /N 7 0 R >>'), { more: [written('Old')] }),
  'text-drawn': form(text('Asha Rao', '/AP << /N 7 0 R >>'), { need: false, more: [written('Asha Rao')] }),
  'text-appearance-without-box': form(text('Asha Rao', '/AP << /N 7 0 R >>'), {
    need: false,
    more: [
      {
        dict: '/Subtype /Form /Resources << /Font << /Helv 6 0 R >> >>',
        stream: 'BT /Helv 14 Tf 4 9 Td (Asha Rao) Tj ET',
      },
    ],
  }),
  'text-multiline': form(
    `/FT /Tx /Ff 4096 /T (a) /V (First line\\rSecond line) /DA (/Helv 10 Tf 0 g) /Rect [20 60 180 130]`,
  ),
  'text-centred': form(text('Centred', '/Q 1')),
  'text-right': form(text('Right', '/Q 2')),
  'text-auto-size': form(`/FT /Tx /T (a) /V (Sized by itself) /DA (/Helv 0 Tf 0 g) ${RECT}`),
  'text-read-only': form(text('Fixed', '/Ff 1')),
  'text-border-and-ground': form(text('Framed', '/MK << /BC [1 0 0] /BG [.9 .9 1] >> /BS << /W 2 >>')),
  'text-comb': form(`/FT /Tx /Ff 16777216 /MaxLen 10 /T (a) /V (ABCPE1234F) /DA (/Helv 12 Tf 0 g) ${RECT}`),
  'text-comb-short': form(`/FT /Tx /Ff 16777216 /MaxLen 12 /T (a) /V (1234) /DA (/Helv 12 Tf 0 g) ${RECT}`),
  'text-inherited': form(`/Parent 7 0 R ${RECT}`, {
    fields: '7 0 R',
    more: ['<< /FT /Tx /T (a) /V (From above) /DA (/Helv 12 Tf 0 g) /Kids [5 0 R] >>'],
  }),
  'text-hidden': form(`/FT /Tx /T (a) /V (Unseen) /DA (/Helv 14 Tf 0 g) ${RECT} /F 2`),
  'choice-combo': form(
    `/FT /Ch /Ff 131072 /T (c) /V (Red) /Opt [(Red) (Blue)] /DA (/Helv 12 Tf 0 g) ${RECT}`,
  ),
  'choice-pairs': form(
    `/FT /Ch /Ff 131072 /T (c) /V (r) /Opt [[(r) (Red)] [(b) (Blue)]] /DA (/Helv 12 Tf 0 g) ${RECT}`,
  ),
  'choice-list': form(
    `/FT /Ch /T (c) /V (Blue) /I [1] /Opt [(Red) (Blue)] /DA (/Helv 10 Tf 0 g) /Rect [20 60 180 130]`,
  ),
  'tick-on': form(`/FT /Btn /T (t) /V /On /AS /On ${TICK_BOX} ${states}`, {
    need: false,
    more: [tick, boxed],
  }),
  'tick-off': form(`/FT /Btn /T (t) /V /Off /AS /Off ${TICK_BOX} ${states}`, {
    need: false,
    more: [tick, boxed],
  }),
  'tick-need': form(`/FT /Btn /T (t) /V /On /AS /On ${TICK_BOX} ${states}`, { more: [cross, boxed] }),
  'tick-without-box': form(`/FT /Btn /T (t) /V /On /AS /On ${TICK_BOX} ${states}`, {
    need: false,
    more: [{ ...(tick as object), dict: '/Subtype /Form' } as RawObject, boxed],
  }),
  radio: form(`/Parent 9 0 R /AS /On ${TICK_BOX} ${states}`, {
    need: false,
    fields: '9 0 R',
    more: [tick, boxed, '<< /FT /Btn /Ff 49152 /T (r) /V /On /Kids [5 0 R] >>'],
  }),
  'button-caption': form(
    `/FT /Btn /Ff 65536 /T (b) /MK << /CA (Press) /BC [0 0 0] /BG [.8 .8 .8] >> /DA (/Helv 12 Tf 0 g) ${RECT}`,
  ),
  'signature-field-empty': form(`/FT /Sig /T (s) ${RECT}`),
  'text-indic-drawn': form(
    `/FT /Tx /T (a) /V ${utf16('आशा राव')} /DA (/Helv 14 Tf 0 g) ${RECT} /AP << /N 7 0 R >>`,
    { more: [written('drawn by its program')] },
  ),
  'text-indic-not-drawn': form(`/FT /Tx /T (a) /V ${utf16('आशा राव')} /DA (/Helv 14 Tf 0 g) ${RECT}`),
  ...Object.fromEntries(
    [90, 180, 270].map((rotate) => [
      `text-on-page-rotated-${rotate}`,
      form(text('Turned', `/MK << /R ${rotate} >>`), { page: `/Rotate ${rotate}` }),
    ]),
  ),
});
