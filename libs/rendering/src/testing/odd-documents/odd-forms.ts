/** Rare but valid forms and comments: inherited, signed, rich, hidden, or drawn by other programs. */
import { box, GREEN, onePage, RED, type RawObject } from '../raw-pdf.ts';
import { GREY, type Documents } from './fields.ts';

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const DINGBATS = '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>';
const DR = '/DR << /Font << /Helv 5 0 R /ZaDb 6 0 R >> >> /DA (/Helv 12 Tf 0 g)';

type Options = { annots?: string; form?: string; rest?: string };

/** One page; objects 5 and 6 are fonts, `objects` begin at 7. */
const one = (
  objects: readonly RawObject[],
  { annots = '7 0 R', form, rest = '' }: Options = {},
): Uint8Array =>
  onePage(GREY, {
    catalog: form === undefined ? '' : `/AcroForm << ${DR} ${form} >>`,
    page: `/Annots [${annots}] ${rest}`,
    more: [HELVETICA, DINGBATS, ...objects],
  });

const widget = (rest: string, rect = '20 100 180 130'): string =>
  `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${rect}] ${rest} >>`;
const drawnText = (text: string): RawObject => ({
  dict: '/Subtype /Form /BBox [0 0 160 30] /Resources << /Font << /Helv 5 0 R >> >>',
  stream: `/Tx BMC q BT /Helv 12 Tf 0 g 4 9 Td (${text}) Tj ET Q EMC`,
});
const stamp: RawObject = {
  dict: '/Subtype /Form /BBox [0 0 40 40]',
  stream: `${box(GREEN, 0, 0, 40, 40)}${box(RED, 0, 0, 20, 10)}`,
};
const disc: RawObject = {
  dict: '/Subtype /Form /BBox [0 0 20 20]',
  stream: '0 g 5 5 10 10 re f 1 1 18 18 re S',
};
const ring: RawObject = { dict: '/Subtype /Form /BBox [0 0 20 20]', stream: '1 1 18 18 re S' };
const need = '/NeedAppearances true';

function fields(): Documents {
  const radio = (state: string): string =>
    `<< /Type /Annot /Subtype /Widget /F 4 /Parent 7 0 R /AS /${state} /AP << /N << /${state === 'Off' ? 'A' : 'B'} 10 0 R /Off 11 0 R >> >> `;
  const group = [
    '<< /FT /Btn /Ff 49152 /T (choice) /V /B /Kids [8 0 R 9 0 R] >>',
    `${radio('Off')} /Rect [20 100 40 120] >>`,
    `${radio('B')} /Rect [60 100 80 120] >>`,
    disc,
    ring,
  ];
  return {
    'nested-inherited-value': one(
      ['<< /T (owner) /FT /Tx /V (Asha Rao) /Kids [8 0 R] >>', widget('/Parent 7 0 R')],
      { annots: '8 0 R', form: `/Fields [7 0 R] ${need}` },
    ),
    'nested-three-deep-comb': one(
      [
        '<< /T (a) /FT /Tx /Ff 16777216 /MaxLen 6 /DA (/Helv 14 Tf 0 0 1 rg) /Kids [8 0 R] >>',
        '<< /T (b) /Parent 7 0 R /V (PAN123) /Kids [9 0 R] >>',
        widget('/Parent 8 0 R /MK << /BC [0 0 0] >>'),
      ],
      { annots: '9 0 R', form: `/Fields [7 0 R] ${need}` },
    ),
    'one-field-two-widgets': one(
      [
        '<< /T (name) /FT /Tx /V (Vikram Shah) /Kids [8 0 R 9 0 R] >>',
        widget('/Parent 7 0 R'),
        widget('/Parent 7 0 R', '20 40 180 70'),
      ],
      { annots: '8 0 R 9 0 R', form: `/Fields [7 0 R] ${need}` },
    ),
    'value-elsewhere': one([widget('/T (a) /FT /Tx /V 8 0 R'), '(Rent 10000)'], {
      form: `/Fields [7 0 R] ${need}`,
    }),
    'xfa-beside-fields': one(
      [
        widget('/T (a) /FT /Tx /V (Asha Rao) /AP << /N 8 0 R >>'),
        drawnText('Asha Rao'),
        { stream: '<xdp/>' },
      ],
      { form: '/Fields [7 0 R] /XFA [(template) 9 0 R]' },
    ),
    'xfa-alone': one([{ stream: '<xdp/>' }], { annots: '', form: '/Fields [] /XFA 7 0 R' }),
    'radio-group': one(group, { annots: '8 0 R 9 0 R', form: '/Fields [7 0 R]' }),
    'radio-group-need': one(group, { annots: '8 0 R 9 0 R', form: `/Fields [7 0 R] ${need}` }),
    'rich-text': one(
      [
        widget(
          '/T (a) /FT /Tx /Ff 33554432 /V (Bold words) /RV (<body xmlns="http://www.w3.org/1999/xhtml"><p><b>Bold</b> words</p></body>)',
        ),
      ],
      { form: `/Fields [7 0 R] ${need}` },
    ),
    password: one([widget('/T (a) /FT /Tx /Ff 8192 /V (secret)')], { form: `/Fields [7 0 R] ${need}` }),
    'many-lines-centred': one(
      [widget('/T (a) /FT /Tx /Ff 4096 /Q 1 /V (First line\\nSecond line)', '20 60 180 140')],
      { form: `/Fields [7 0 R] ${need}` },
    ),
    'list-with-two-chosen': one(
      [
        widget(
          '/T (a) /FT /Ch /Ff 2097152 /Opt [(One) (Two) (Three)] /V [(One) (Three)] /I [0 2]',
          '20 60 180 140',
        ),
      ],
      { form: `/Fields [7 0 R] ${need}` },
    ),
    'choice-with-export-values': one(
      [widget('/T (a) /FT /Ch /Ff 131072 /Opt [[(MH) (Maharashtra)] [(KA) (Karnataka)]] /V (KA)')],
      { form: `/Fields [7 0 R] ${need}` },
    ),
    'button-with-caption': one(
      [widget('/T (a) /FT /Btn /Ff 65536 /MK << /CA (Print) /BG [.8 .8 .8] /BC [0 0 0] >>')],
      { form: `/Fields [7 0 R] ${need}` },
    ),
    'tick-by-character': one(
      [widget('/T (a) /FT /Btn /V /Yes /AS /Yes /MK << /CA (4) >> /DA (/ZaDb 0 Tf 0 g)', '20 100 40 120')],
      { form: `/Fields [7 0 R] ${need}` },
    ),
    'turned-widget': one([widget('/T (a) /FT /Tx /V (Upwards) /MK << /R 90 >>', '60 40 90 180')], {
      form: `/Fields [7 0 R] ${need}`,
    }),
    ...Object.fromEntries(
      [
        ['hidden', 2],
        ['print-only', 4],
        ['no-view', 36],
        ['not-printed', 0],
        ['no-zoom-no-rotate', 28],
        ['locked', 196],
      ].map(([name, flags]) => [
        `widget-${name}`,
        one(
          [
            widget('/T (a) /FT /Tx /V (Shown) /AP << /N 8 0 R >>').replace('/F 4', `/F ${flags}`),
            drawnText('Shown'),
          ],
          { form: '/Fields [7 0 R]' },
        ),
      ]),
    ),
  };
}

/** As in Aadhaar letters, e-stamps and statements: nested forms whose outer ones are empty. */
function signatures(): Documents {
  const layers: RawObject[] = [
    {
      dict: '/Subtype /Form /BBox [0 0 160 60] /Resources << /XObject << /FRM 9 0 R >> >>',
      stream: 'q 1 0 0 1 0 0 cm /FRM Do Q',
    },
    {
      dict: '/Subtype /Form /BBox [0 0 160 60] /Resources << /XObject << /n0 10 0 R /n2 11 0 R >> >>',
      stream: 'q 1 0 0 1 0 0 cm /n0 Do Q q 1 0 0 1 0 0 cm /n2 Do Q',
    },
    { dict: '/Subtype /Form /BBox [0 0 100 100]', stream: '% DSBlank' },
    {
      dict: '/Subtype /Form /BBox [0 0 160 60] /Resources << /Font << /Helv 5 0 R >> >>',
      stream:
        'BT /Helv 9 Tf 4 40 Td (Digitally signed by DS UIDAI) Tj 0 -14 Td (Date: 2026.11.01 10:00 IST) Tj ET',
    },
  ];
  const value =
    "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 20 10] /Contents <3000> /M (D:20261101100000+05'30') >>";
  const field = (rest: string): string =>
    widget(`/FT /Sig /T (Signature1) /V 12 0 R ${rest}`, '20 60 180 120');
  return {
    signed: one([field('/AP << /N 8 0 R >>'), ...layers, value], { form: '/Fields [7 0 R] /SigFlags 3' }),
    'signed-unseen': one([widget('/FT /Sig /T (Signature1) /V 12 0 R', '0 0 0 0'), ...layers, value], {
      form: '/Fields [7 0 R] /SigFlags 3',
    }),
    'sign-here': one([widget('/FT /Sig /T (Signature1) /MK << /BC [1 0 0] >>')], {
      form: '/Fields [7 0 R] /SigFlags 1',
    }),
  };
}

function comments(): Documents {
  const annot = (rest: string): string => `<< /Type /Annot /F 4 ${rest} >>`;
  const stamped = '/Subtype /Stamp /Rect [60 80 120 140] /AP << /N 8 0 R >>';
  const turned = (degrees: number): Uint8Array =>
    one(
      [
        annot(stamped),
        stamp,
        annot('/Subtype /FreeText /Rect [20 20 180 50] /Contents (Typed) /DA (/Helv 12 Tf 0 0 1 rg)'),
      ],
      { annots: '7 0 R 9 0 R', rest: `/Rotate ${degrees}` },
    );
  const single: Record<string, string> = {
    'free-text-rich':
      '/Subtype /FreeText /Rect [20 60 180 140] /DA (/Helv 12 Tf 0 g) /Contents (Rich words) /RC (<body xmlns="http://www.w3.org/1999/xhtml"><p style="color:#ff0000"><b>Rich</b> words</p></body>)',
    'free-text-callout':
      '/Subtype /FreeText /IT /FreeTextCallout /Rect [20 20 180 140] /RD [60 60 0 0] /CL [20 20 60 60 80 80] /LE /OpenArrow /DA (/Helv 12 Tf 0 g) /Contents (See here)',
    cloud:
      '/Subtype /Polygon /Rect [10 10 190 190] /Vertices [20 20 180 20 100 150] /BE << /S /C /I 2 >> /C [1 0 0] /BS << /W 2 >>',
    'line-with-caption':
      '/Subtype /Line /Rect [0 80 200 120] /L [20 100 180 100] /Cap true /Contents (3 m) /C [0 0 1] /BS << /W 2 >>',
    'line-with-leaders': '/Subtype /Line /Rect [0 60 200 140] /L [20 100 180 100] /LL 20 /LLE 10 /C [0 0 1]',
    redact: '/Subtype /Redact /Rect [20 90 150 130] /QuadPoints [20 130 150 130 20 90 150 90] /IC [0 0 0]',
    watermark:
      '/Subtype /Watermark /Rect [60 80 120 140] /AP << /N 8 0 R >> /FixedPrint << /Type /FixedPrint /H .5 /V .5 >>',
    screen: '/Subtype /Screen /Rect [60 80 120 140] /AP << /N 8 0 R >>',
    'rich-media': '/Subtype /RichMedia /Rect [60 80 120 140] /AP << /N 8 0 R >>',
    sound: '/Subtype /Sound /Rect [60 80 80 100] /Name /Speaker',
    'attached-file':
      '/Subtype /FileAttachment /Rect [60 80 80 100] /Name /PushPin /AP << /N 8 0 R >> /FS << /Type /Filespec /F (a.pdf) >>',
    'stamp-states': '/Subtype /Stamp /Rect [60 80 120 140] /AS /Two /AP << /N << /One 9 0 R /Two 8 0 R >> >>',
    'reply-in-note': '/Subtype /Text /Rect [60 80 80 100] /Contents (Yes) /IRT 9 0 R /F 30',
    'ink-drawn-and-opaque':
      '/Subtype /Ink /Rect [60 80 120 140] /InkList [[60 80 120 140]] /CA .3 /AP << /N 8 0 R >>',
    'stamp-in-hidden-layer': '/Subtype /Stamp /Rect [60 80 120 140] /OC 10 0 R /AP << /N 8 0 R >>',
    'zero-size': '/Subtype /Stamp /Rect [60 80 60 80] /AP << /N 8 0 R >>',
    'rect-reversed': '/Subtype /Stamp /Rect [120 140 60 80] /AP << /N 8 0 R >>',
    'unknown-kind': '/Subtype /FutureKind /Rect [60 80 120 140] /AP << /N 8 0 R >>',
  };
  return {
    ...Object.fromEntries(
      [90, 180, 270].map((degrees) => [`rotate-${degrees}-with-comments`, turned(degrees)]),
    ),
    ...Object.fromEntries(
      Object.entries(single).map(([name, rest]) => [
        name,
        onePage(GREY, {
          catalog: '/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>',
          page: '/Annots [7 0 R]',
          more: [HELVETICA, DINGBATS, annot(rest), stamp, disc, '<< /Type /OCG /Name (off) >>'],
        }),
      ]),
    ),
    'crop-with-offset-and-comments': one(
      [
        annot(stamped),
        stamp,
        annot('/Subtype /Highlight /Rect [40 60 120 80] /QuadPoints [40 80 120 80 40 60 120 60] /C [1 1 0]'),
      ],
      { annots: '7 0 R 9 0 R', rest: '/MediaBox [-100 -50 300 250] /CropBox [30 40 150 160]' },
    ),
    'user-unit-with-comments': one([annot(stamped), stamp], { rest: '/UserUnit 3' }),
    'popup-open': one(
      [
        annot('/Subtype /Text /Rect [60 80 80 100] /Contents (Look) /Popup 8 0 R'),
        annot('/Subtype /Popup /Rect [90 80 190 150] /Parent 7 0 R /Open true'),
      ],
      { annots: '7 0 R 8 0 R' },
    ),
    'annots-with-holes': one([annot(stamped), stamp], { annots: '99 0 R null 7 0 R' }),
  };
}

export const oddForms = (): Documents => ({ ...fields(), ...signatures(), ...comments() });
