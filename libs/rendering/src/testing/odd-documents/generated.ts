/** Generates documents with one condition each: typical output of programs, and typical damage. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BLUE, box, GREEN, onePage, rawPdf, RED, type RawObject } from '../raw-pdf.ts';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import sharp from 'sharp';
import { oddForms } from './odd-forms.ts';
import { oddPages } from './odd-pages.ts';
import { GREY, form, text, fields, type Documents } from './fields.ts';

const run = promisify(execFile);
const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

const each = (list: Record<string, string>, draw: (text: string) => Uint8Array): Documents =>
  Object.fromEntries(Object.entries(list).map(([name, text]) => [name, draw(text)]));

const stamp: RawObject = { dict: '/Subtype /Form /BBox [0 0 10 10]', stream: box(GREEN, 0, 0, 10, 10) };

function annotations(): Documents {
  const [full, quads] = [
    '/Rect [0 0 200 200]',
    '/Rect [20 90 150 130] /QuadPoints [20 120 150 120 20 100 150 100]',
  ];
  const list: Record<string, string> = {
    square: '/Subtype /Square /Rect [20 20 120 120] /C [1 0 0] /BS << /W 3 >>',
    'square-filled': '/Subtype /Square /Rect [20 20 120 120] /C [1 0 0] /IC [0 0 1] /BS << /W 3 >>',
    'square-opacity': '/Subtype /Square /Rect [20 20 120 120] /C [1 0 0] /IC [0 0 1] /CA .4',
    'square-dashed': '/Subtype /Square /Rect [20 20 120 120] /C [1 0 0] /BS << /W 3 /S /D /D [6 3] >>',
    circle: '/Subtype /Circle /Rect [20 20 120 120] /C [0 0 1] /IC [1 1 0] /BS << /W 3 >>',
    line: `/Subtype /Line ${full} /L [20 20 180 150] /C [1 0 0] /BS << /W 3 >>`,
    arrow: `/Subtype /Line ${full} /L [20 100 180 100] /LE [/OpenArrow /ClosedArrow] /C [1 0 0] /IC [0 1 0] /BS << /W 3 >>`,
    polygon: `/Subtype /Polygon ${full} /Vertices [20 20 180 20 100 150] /C [1 0 0] /IC [0 0 1]`,
    polyline: `/Subtype /PolyLine ${full} /Vertices [20 20 180 20 100 150] /C [1 0 0] /BS << /W 3 >>`,
    ink: `/Subtype /Ink ${full} /InkList [[20 20 100 150 180 30]] /C [0 0 1] /BS << /W 4 >>`,
    highlight: `/Subtype /Highlight ${quads} /C [1 1 0]`,
    underline: `/Subtype /Underline ${quads} /C [1 0 0]`,
    squiggly: `/Subtype /Squiggly ${quads} /C [1 0 0]`,
    'strike-out': `/Subtype /StrikeOut ${quads} /C [1 0 0]`,
    note: '/Subtype /Text /Rect [50 100 70 120] /Contents (Look here) /C [1 1 0]',
    'free-text':
      '/Subtype /FreeText /Rect [20 100 180 140] /Contents (Typed over the page) /DA (/Helv 12 Tf 1 0 0 rg)',
    caret: '/Subtype /Caret /Rect [50 100 60 110] /C [0 0 1]',
    stamp: '/Subtype /Stamp /Rect [100 100 140 140] /AP << /N 5 0 R >>',
    'stamp-without-appearance': '/Subtype /Stamp /Rect [20 100 180 140] /Name /Approved',
    'stamp-hidden': '/Subtype /Stamp /Rect [100 100 140 140] /F 2 /AP << /N 5 0 R >>',
    'stamp-no-view': '/Subtype /Stamp /Rect [100 100 140 140] /F 32 /AP << /N 5 0 R >>',
    'link-border': '/Subtype /Link /Rect [20 20 120 60] /C [0 0 1] /Border [0 0 2]',
    'link-dashed': '/Subtype /Link /Rect [20 20 120 60] /C [0 0 1] /BS << /W 2 /S /D /D [4 2] >>',
    'link-plain':
      '/Subtype /Link /Rect [20 20 120 60] /Border [0 0 0] /A << /S /URI /URI (https://example.org) >>',
    'file-attachment': '/Subtype /FileAttachment /Rect [50 100 70 120] /Name /PushPin',
    popup: '/Subtype /Popup /Rect [100 100 180 160] /Open true',
    'stamp-matrix': '/Subtype /Stamp /Rect [60 60 140 140] /AP << /N 6 0 R >>',
  };
  const turned: RawObject = {
    dict: '/Subtype /Form /BBox [0 0 10 20] /Matrix [0 1 -1 0 0 0]',
    stream: box(RED, 0, 0, 10, 10),
  };
  return each(list, (annot) =>
    onePage(GREY, {
      page: '/Annots [7 0 R]',
      more: [stamp, turned, `<< /Type /Annot /F 4 ${annot} >>`],
    }),
  );
}

function boxes(): Documents {
  const content = box(RED, 0, 0, 100, 100) + box(BLUE, 100, 100, 100, 100);
  const list: Record<string, string> = {
    'negative-origin': '/MediaBox [-100 -100 150 150]',
    reversed: '/MediaBox [200 200 0 0]',
    crop: '/CropBox [20 30 150 180]',
    'crop-larger': '/CropBox [-50 -50 400 400]',
    'crop-and-rotate': '/CropBox [20 30 150 180] /Rotate 90',
    'user-unit': '/UserUnit 2.5',
    'rotate-90': '/Rotate 90',
    'rotate-180': '/Rotate 180',
    'rotate-minus-90': '/Rotate -90',
    tiny: '/MediaBox [0 0 20 10]',
    huge: '/MediaBox [0 0 5000 3000]',
    fractions: '/MediaBox [0.5 0.25 199.75 150.125]',
  };
  return each(list, (page) => onePage(content, { page }));
}

function drawings(): Documents {
  const group = {
    dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Group << /S /Transparency /CS /DeviceGray >>',
    stream: '.5 g 0 0 200 200 re f',
  };
  return {
    'soft-mask': onePage(`q /M gs ${box(RED, 0, 0, 200, 100)} Q`, {
      page: '/Resources << /ExtGState << /M << /SMask << /S /Luminosity /G 5 0 R >> >> >> >>',
      more: [group],
    }),
    blend: onePage(`${box(RED, 0, 0, 120, 120)} /M gs ${box(GREEN, 60, 60, 120, 120)}`, {
      page: '/Resources << /ExtGState << /M << /BM /Multiply /ca .7 >> >> >>',
    }),
    pattern: onePage('/Pattern cs /P scn 0 0 150 150 re f', {
      page: '/Resources << /Pattern << /P 5 0 R >> >>',
      more: [
        {
          dict: '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 20 20] /XStep 20 /YStep 20 /Resources << >>',
          stream: box(BLUE, 0, 0, 10, 10),
        },
      ],
    }),
    shading: onePage('/S sh', {
      page: '/Resources << /Shading << /S << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 200 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> /Extend [true true] >> >> >>',
    }),
    cmyk: onePage('0 1 1 0 k 0 0 100 100 re f 1 0 0 0 k 100 100 100 100 re f'),
    'layer-hidden': onePage(`/OC /L BDC ${box(RED, 0, 0, 100, 100)} EMC ${box(BLUE, 100, 100, 50, 50)}`, {
      catalog: '/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>',
      page: '/Resources << /Properties << /L 5 0 R >> >>',
      more: ['<< /Type /OCG /Name (a) >>'],
    }),
    'layer-shown': onePage(`/OC /L BDC ${box(RED, 0, 0, 100, 100)} EMC`, {
      catalog: '/OCProperties << /OCGs [5 0 R] /D << >> >>',
      page: '/Resources << /Properties << /L 5 0 R >> >>',
      more: ['<< /Type /OCG /Name (a) >>'],
    }),
    'inline-image': onePage(
      'q 50 0 0 50 50 50 cm BI /W 2 /H 1 /BPC 8 /CS /RGB ID \x01\x02\x03\xff\x00\x20 EI Q',
    ),
    type3: onePage('BT /T 40 Tf 20 20 Td (AA) Tj ET', {
      page: '/Resources << /Font << /T 5 0 R >> >>',
      more: [
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 65 /LastChar 65 /Widths [1000] /Encoding << /Differences [65 /A] >> /CharProcs << /A 6 0 R >> /Resources << >> >>',
        { stream: '1000 0 0 0 750 750 d1 0 0 750 750 re f' },
      ],
    }),
    'empty-page': onePage(''),
  };
}

async function byQpdf(folder: string, bytes: Uint8Array, ...options: string[]): Promise<Uint8Array> {
  const [from, to] = [join(folder, 'from.pdf'), join(folder, 'to.pdf')];
  await writeFile(from, bytes);
  await run('qpdf', [...options, from, to]);
  return readFile(to);
}

async function files(folder: string): Promise<Documents> {
  const plain = await textPdf('First page', 'Second page');
  const page = Buffer.from(onePage(box(RED, 20, 20, 100, 100))).toString('latin1');
  const filled = form(text('Asha Rao'));
  const signed = Buffer.from(
    onePage(box(RED, 20, 20, 100, 100), { more: ['<< /FT /Sig /T (x) >>'] }),
  ).toString('latin1');
  const entry = (object: number): string =>
    `${String(signed.indexOf(`${object} 0 obj`)).padStart(10, '0')} 00000 n`;
  const linear = Buffer.from(await byQpdf(folder, plain, '--linearize')).toString('latin1');
  const at = page.length;
  const replaced = `4 0 obj\n<< /Length ${box(BLUE, 20, 20, 150, 150).length} >>\nstream\n${box(BLUE, 20, 20, 150, 150)}\nendstream\nendobj\n`;
  const start = Number(/startxref\s+(\d+)/.exec(page)?.[1]);
  const update = `${page}${replaced}xref\n4 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 5 /Root 1 0 R /Prev ${start} >>\nstartxref\n${at + replaced.length}\n%%EOF\n`;
  const locked = (user: string, ...bits: string[]): Promise<Uint8Array> =>
    byQpdf(folder, plain, '--allow-weak-crypto', '--encrypt', user, 'owner', ...bits, '--');
  return {
    incremental: latin(update),
    linearised: latin(linear),
    'object-streams': await byQpdf(folder, plain, '--object-streams=generate'),
    'form-in-object-streams': await byQpdf(folder, filled, '--object-streams=generate'),
    'form-linearised': await byQpdf(folder, filled, '--linearize'),
    'table-shifted': latin(page.replace('%PDF-1.7\n', '%PDF-1.7\n% a comment that a mail program put in\n')),
    'table-mixed-up': latin(signed.replace(entry(3), entry(5))),
    'table-missing': rawPdf(
      [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
        { stream: box(RED, 0, 0, 100, 100) },
      ],
      { xref: false },
    ),
    'startxref-wrong': latin(page.replace(/startxref\s+\d+/, 'startxref\n7')),
    'junk-before': latin(`junk of a mail\r\n${page}`),
    'junk-after': latin(`${page}${'\0'.repeat(600)}`),
    'cut-short': latin(page.slice(0, page.indexOf('endstream') - 10)),
    'encrypted-opens-256': await locked('', '256'),
    'encrypted-opens-128': await locked('', '128', '--use-aes=y'),
    'encrypted-opens-40': await locked('', '40'),
    'encrypted-locked': await locked('secret', '256'),
    inherited: rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 300 200] /Rotate 90 >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
      { stream: box(RED, 0, 0, 100, 100) },
    ]),
    'many-pages': await textPdf(...Array.from({ length: 24 }, (_, i) => `Page ${i + 1} of many`)),
  };
}

async function others(): Promise<Documents> {
  const picture = sharp({ create: { width: 600, height: 400, channels: 3, background: '#1f3a8a' } });
  const locked = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(504),
    Buffer.from('EncryptedPackage', 'utf16le'),
    Buffer.alloc(800),
  ]);
  return {
    'word-indic.docx': docx(['यह एक समझौता है', 'இது ஒரு ஒப்பந்தம்', 'এটি একটি চুক্তি']),
    'word-long.docx': docx(Array.from({ length: 90 }, (_, i) => `Clause ${i + 1} of the lease`)),
    'word-macros.docx': docx(['x'], { 'word/vbaProject.bin': 'x' }),
    'word-locked.docx': locked,
    'word-rtf.doc': latin('{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 Words in RTF\\par}'),
    'image.png': await picture.clone().png().toBuffer(),
    'image.jpg': await picture.jpeg().toBuffer(),
  };
}

/** Returns more than two hundred documents; the extension of a name shows the format. */
export async function generated(): Promise<Documents> {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-odd-documents-'));
  const pdfs = (kind: string, documents: Documents): Documents =>
    Object.fromEntries(Object.entries(documents).map(([name, bytes]) => [`${kind}-${name}.pdf`, bytes]));
  try {
    return {
      ...pdfs('field', fields()),
      ...pdfs('annotation', annotations()),
      ...pdfs('box', boxes()),
      ...pdfs('drawing', drawings()),
      ...pdfs('file', await files(folder)),
      ...pdfs('odd', { ...oddForms(), ...(await oddPages(folder)) }),
      ...(await others()),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
