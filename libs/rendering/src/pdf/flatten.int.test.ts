import { PDF } from '@libpdf/core';
import { BLUE, box, GREEN, onePage, rawPdf, RED, type RawObject } from '../testing/raw-pdf.ts';
import { cornersPdf } from '../testing/samples.ts';
import { complaints, difference, pageCount, paint, textOf, unpacked } from '@karaar/testing/pdf-judges';
import { assemble } from './assemble.ts';

const METADATA = { title: 'Test', subject: 'Test', createdAt: '2026-11-21T06:00:00Z' };

async function flat(...sources: Uint8Array[]): Promise<Uint8Array> {
  const parts = sources.map((bytes, i) => ({ kind: 'pdf' as const, name: `file-${i}.pdf`, bytes }));
  return Buffer.concat((await assemble(parts, METADATA, 100)).pieces);
}

/** Flattens a file, and expects that poppler paints every page as before and qpdf reports no fault. */
async function flatAndSame(source: Uint8Array): Promise<Uint8Array> {
  const result = await flat(source);
  for (let page = 1; page <= (await pageCount(source)); page += 1) {
    expect(difference(await paint(source, page), await paint(result, page))).toBeLessThanOrEqual(2);
  }
  expect(await complaints(result)).toBe('');
  return result;
}

const WHITE = [255, 255, 255];

describe('pages of raw PDFs', () => {
  it.each([
    [0, [255, 0, 0], [0, 255, 0]],
    [90, [0, 0, 255], [255, 0, 0]],
    [180, [255, 255, 0], [0, 0, 255]],
    [270, [0, 255, 0], [255, 255, 0]],
  ] as const)('[FINAL-019] keep their look when rotated by %i°', async (rotate, topLeft, topRight) => {
    const result = await flatAndSame(await cornersPdf(rotate));
    const picture = await paint(result, 1);
    expect(picture.at(0.05, 0.05)).toEqual(topLeft);
    expect(picture.at(0.95, 0.05)).toEqual(topRight);
    expect(picture.width > picture.height).toBe(rotate === 90 || rotate === 270);
  });

  it('[FINAL-019] keep their sizes when mixed, and the order of the files', async () => {
    const sizes: [number, number][] = [
      [200, 300],
      [842, 595],
      [612, 792],
    ];
    const result = await flat(...(await Promise.all(sizes.map((size) => cornersPdf(0, size)))));
    const pdf = await PDF.load(result);
    expect(pdf.getPages().map((page) => [page.width, page.height])).toEqual(sizes);
  });

  it('keep inherited attributes, a crop box away from the origin, and a user unit', async () => {
    const source = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 2 /MediaBox [-100 -100 300 300] /Rotate 90 /Resources << /ExtGState << /G << /ca .5 >> >> >> >>',
      '<< /Type /Pages /Parent 2 0 R /Kids [4 0 R 5 0 R] /Count 2 /CropBox [0 0 200 100] >>',
      '<< /Type /Page /Parent 3 0 R /Contents 6 0 R >>',
      '<< /Type /Page /Parent 3 0 R /Contents [6 0 R 7 0 R] /Rotate 0 /UserUnit 2 >>',
      { stream: `/G gs ${box(RED, 0, 0, 60, 60)}` },
      { stream: box(BLUE, 100, 50, 100, 50) },
    ]);
    await flatAndSame(source);
  });

  it('keep small numbers: letters of a Type 3 font with 2048 units keep their width', async () => {
    const content = `BT /T 10 Tf 10 100 Td (${'A'.repeat(40)}) Tj ET`;
    const font =
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 2048 2048] /FontMatrix [0.00044140625 0 0 0.000488281 0 0] /FirstChar 65 /LastChar 65 /Widths [1000] /Encoding << /Differences [65 /A] >> /CharProcs << /A 6 0 R >> /Resources << >> >>';
    const glyph = { stream: '1000 0 0 0 900 1500 d1 0 0 900 1500 re f' };
    const result = await flatAndSame(
      onePage(content, { page: '/Resources << /Font << /T 5 0 R >> >>', more: [font, glyph] }),
    );
    expect(await unpacked(result)).toContain('0.00044140625');
  });

  it('keep Type 3 fonts, patterns, soft masks and inline images', async () => {
    const resources = `<< /Font << /T 5 0 R >> /Pattern << /P 7 0 R >> /ExtGState << /M << /SMask << /S /Luminosity /G 8 0 R >> >> >> >>`;
    const content = `q /M gs ${box(RED, 0, 100, 200, 100)} Q /Pattern cs /P scn 0 0 100 100 re f
BT /T 40 Tf 110 20 Td (AB) Tj ET q 50 0 0 50 140 60 cm BI /W 2 /H 1 /BPC 8 /CS /RGB ID \x01EI \xff\x00\x20 EI Q ${box(GREEN, 190, 0, 10, 10)}`;
    const source = onePage(content, {
      page: `/Resources ${resources}`,
      more: [
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 65 /LastChar 66 /Widths [1000 1000] /Encoding << /Differences [65 /A /B] >> /CharProcs << /A 6 0 R /B 9 0 R >> /Resources << >> >>',
        { stream: '1000 0 0 0 750 750 d1 0 0 750 750 re f' },
        {
          dict: '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 20 20] /XStep 20 /YStep 20 /Resources << >>',
          stream: box(BLUE, 0, 0, 10, 10),
        },
        {
          dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Group << /S /Transparency /CS /DeviceGray >>',
          stream: '.5 g 0 0 200 200 re f',
        },
        { stream: '1000 0 d0 1 0 0 rg 0 0 400 400 re f' },
      ],
    });
    await flatAndSame(source);
  });
});

describe('active content', () => {
  it('[FINAL-020] scripts, actions, embedded files, names and metadata are removed, the page stays', async () => {
    const source = onePage(`q ${box(RED, 20, 20, 50, 50)} /Fm Do Q`, {
      catalog:
        '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AA << /WC << /S /JavaScript /JS (x) >> >> /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (y) >>] >> /EmbeddedFiles << /Names [(evil.exe) 6 0 R] >> >> /Metadata 5 0 R /Outlines << >> /AF [6 0 R]',
      page: '/AA << /O << /S /Launch /F (calc.exe) >> >> /Metadata 5 0 R /PieceInfo << /X << >> >> /Thumb 7 0 R /Resources << /XObject << /Fm 8 0 R >> >>',
      more: [
        { dict: '/Type /Metadata /Subtype /XML', stream: '<x>secret metadata</x>' },
        '<< /Type /Filespec /F (evil.exe) /EF << /F 7 0 R >> >>',
        { dict: '/Type /EmbeddedFile', stream: 'MZ evil bytes' },
        {
          dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /AF [6 0 R] /PieceInfo << /A << /JS (z) >> >> /Metadata 5 0 R',
          stream: box(GREEN, 100, 100, 50, 50),
        },
      ],
    });
    const inside = await unpacked(await flatAndSame(source));
    for (const word of [
      'JavaScript',
      '/JS',
      '/AA',
      'OpenAction',
      'Launch',
      'calc.exe',
      'evil',
      'Filespec',
      'EmbeddedFile',
      'secret metadata',
      'PieceInfo',
      '/Thumb',
      '/Names',
    ])
      expect(inside).not.toContain(word);
  });

  it('[FINAL-020] a form is drawn with its values, and the copy has no form', async () => {
    const pdf = PDF.create();
    const page = pdf.addPage({ width: 200, height: 200 });
    const form = pdf.getOrCreateForm();
    const field = form.createTextField('rent', { defaultValue: '12500' });
    page.drawField(field, { x: 20, y: 120, width: 160, height: 40 });
    const tick = form.createCheckbox('agreed', { onValue: 'Yes' });
    page.drawField(tick, { x: 20, y: 60, width: 30, height: 30 });
    field.setValue('Rent 12500');
    tick.check();
    form.updateAppearances();
    const source = await pdf.save();
    const result = await flatAndSame(source);
    expect(await textOf(result)).toContain('Rent 12500');
    const inside = await unpacked(result);
    for (const word of ['AcroForm', '/Widget', '/Annots', '/FT']) expect(inside).not.toContain(word);
  });

  it('[FINAL-020] a field that was filled without a drawing is drawn', async () => {
    const source = onePage('', {
      catalog:
        '/AcroForm << /Fields [5 0 R] /NeedAppearances true /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 6 0 R >> >> >>',
      page: '/Annots [5 0 R]',
      more: [
        '<< /Type /Annot /Subtype /Widget /FT /Tx /Ff 1 /T (name) /V (Asha Rao) /Rect [20 100 180 130] /DA (/Helv 14 Tf 0 g) /P 3 0 R >>',
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ],
    });
    expect(await textOf(await flat(source))).toContain('Asha Rao');
  });

  it('[FINAL-020] comments are drawn as a viewer shows them; hidden ones and pop-ups are not', async () => {
    const appearance = (colour: string): RawObject => ({
      dict: '/Subtype /Form /BBox [0 0 10 10]',
      stream: box(colour, 0, 0, 10, 10),
    });
    const source = onePage('q 2 0 0 2 0 0 cm ' + box('.9 .9 .9', 0, 0, 50, 50), {
      page: '/Annots [5 0 R 6 0 R 7 0 R 8 0 R 9 0 R]',
      more: [
        '<< /Type /Annot /Subtype /Stamp /Rect [100 100 140 140] /AP << /N 10 0 R >> /Popup 7 0 R >>',
        '<< /Type /Annot /Subtype /Stamp /Rect [0 150 40 190] /F 2 /AP << /N 11 0 R >> >>',
        '<< /Type /Annot /Subtype /Popup /Rect [150 150 190 190] /Open true >>',
        '<< /Type /Annot /Subtype /Link /Rect [20 120 80 160] /Border [0 0 0] /A << /S /URI /URI (http://evil.example) >> >>',
        '<< /Type /Annot /Subtype /Widget /FT /Btn /Rect [150 20 190 60] /AS /On /AP << /N << /On 10 0 R /Off 11 0 R >> >> >>',
        appearance(GREEN),
        appearance(RED),
      ],
    });
    const result = await flatAndSame(source);
    const picture = await paint(result, 1);
    expect(picture.at(0.6, 0.4)).toEqual([0, 255, 0]);
    expect(picture.at(0.1, 0.15)).toEqual(WHITE);
    expect(picture.at(0.85, 0.8)).toEqual([0, 255, 0]);
    const inside = await unpacked(result);
    for (const word of ['/Annot', '/URI', 'evil.example', '/Popup', '/Widget'])
      expect(inside).not.toContain(word);
  });

  it('borders of links and marks without an appearance are drawn', async () => {
    const annot = (rest: string): string => `<< /Type /Annot ${rest} >>`;
    const source = onePage(box('.9 .9 .9', 0, 0, 10, 10), {
      page: '/Annots [5 0 R 6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R]',
      more: [
        annot('/Subtype /Link /Rect [20 20 80 80] /Border [0 0 8] /C [0 0 1]'),
        annot('/Subtype /Square /Rect [120 20 180 80] /BS << /W 8 >> /C [1 0 0]'),
        annot('/Subtype /Line /Rect [0 0 200 200] /L [20 150 90 150] /BS << /W 8 >> /C [0 1 0]'),
        annot('/Subtype /Ink /Rect [0 0 200 200] /InkList [[120 150 180 150]] /BS << /W 8 >> /C [0 0 0]'),
        annot(
          '/Subtype /StrikeOut /Rect [0 0 200 200] /QuadPoints [20 120 90 120 20 100 90 100] /BS << /W 8 >> /C [1 0 0]',
        ),
        annot('/Subtype /Circle /Rect [130 100 170 140] /BS << /W 8 >> /C [0 0 1]'),
        annot('/Subtype /Link /Rect [90 20 110 80] /BS << /W 0 >>'),
      ],
    });
    const picture = await paint(await flat(source), 1, 72);
    const at = (x: number, y: number): number[] => picture.at(x / 200, 1 - y / 200);
    expect(at(24, 50)).toEqual([0, 0, 255]);
    expect(at(124, 50)).toEqual([255, 0, 0]);
    expect(at(50, 150)).toEqual([0, 255, 0]);
    expect(at(150, 150)).toEqual([0, 0, 0]);
    expect(at(50, 109)).toEqual([255, 0, 0]);
    expect(at(134, 120)).toEqual([0, 0, 255]);
    expect(at(100, 50)).toEqual(WHITE);
    expect(at(50, 50)).toEqual(WHITE);
  });

  it('pages that share one resource dictionary keep their own annotations', async () => {
    const stamp = (n: number): string =>
      `<< /Type /Annot /Subtype /Stamp /Rect [50 50 150 150] /AP << /N ${n} 0 R >> >>`;
    const page = (contents: number, annot: number): string =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources 5 0 R /Contents ${contents} 0 R /Annots [${annot} 0 R] >>`;
    await flatAndSame(
      rawPdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
        page(6, 7),
        page(6, 8),
        '<< /XObject << /Shared 9 0 R >> >>',
        { stream: '/Shared Do' },
        stamp(9),
        stamp(10),
        { dict: '/Subtype /Form /BBox [0 0 100 100]', stream: box(RED, 0, 0, 50, 50) },
        { dict: '/Subtype /Form /BBox [0 0 100 100]', stream: box(BLUE, 0, 0, 50, 50) },
      ]),
    );
  });
});

describe('layers', () => {
  const layered = (content: string, config: string, more: readonly RawObject[] = []): Uint8Array =>
    onePage(content, {
      catalog: `/OCProperties << /OCGs [5 0 R 6 0 R] /D << ${config} >> >>`,
      page: '/Resources << /Properties << /On 5 0 R /Off 6 0 R /Md 7 0 R >> /Font << /F 8 0 R >> /XObject << /Hid 9 0 R /Shown 10 0 R >> >>',
      more: [
        '<< /Type /OCG /Name (shown) >>',
        '<< /Type /OCG /Name (hidden) >>',
        '<< /Type /OCMD /OCGs [5 0 R 6 0 R] /P /AllOn >>',
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        {
          dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /OC 6 0 R',
          stream: box(RED, 0, 0, 200, 200),
        },
        {
          dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /OC 5 0 R',
          stream: box(BLUE, 180, 0, 20, 20),
        },
        ...more,
      ],
    });

  async function withoutLayers(source: Uint8Array): Promise<Uint8Array> {
    const result = await flatAndSame(source);
    const inside = await unpacked(result);
    for (const word of ['/OC', '/OCG', 'OCProperties', '(hidden)', 'BDC']) expect(inside).not.toContain(word);
    return result;
  }

  it('[FINAL-020] visible content stays, hidden content never shows, and no layer remains', async () => {
    const content = `/OC /On BDC ${box(GREEN, 0, 0, 50, 50)} EMC
/OC /Off BDC ${box(RED, 0, 100, 100, 100)} BT /F 12 Tf 10 90 Td (SECRET) Tj ET EMC
/OC /Md BDC ${box(RED, 150, 150, 50, 50)} EMC /Hid Do /Shown Do BT /F 12 Tf 60 60 Td (Open) Tj ET`;
    const result = await withoutLayers(layered(content, '/BaseState /ON /OFF [6 0 R]'));
    const text = await textOf(result);
    expect(text).toContain('Open');
    expect(text).not.toContain('SECRET');
    expect(await unpacked(result)).not.toContain('SECRET');
  });

  it('state that a hidden layer sets still applies after it, and text after hidden text keeps its position', async () => {
    const content = `/OC /Off BDC 0 0 1 rg 1 0 0 1 20 0 cm 0 0 m 10 10 l S /OC /On BDC 0 0 5 5 re f EMC EMC 0 0 40 40 re f
BT /F 20 Tf 10 120 Td (Seen) Tj /OC /Off BDC (gone) Tj EMC (after) Tj 0 -30 Td /OC /Off BDC (lost) Tj EMC 0 -30 Td (next) Tj ET`;
    const result = await withoutLayers(layered(content, '/OFF [6 0 R]'));
    expect(await unpacked(result)).not.toContain('lost');
  });

  it('base state OFF, layers in forms, and marks in hidden forms', async () => {
    const content = `/OC /On BDC ${box(GREEN, 0, 0, 50, 50)} /Span BMC ${box(GREEN, 50, 0, 20, 20)} EMC EMC
/OC /Off BDC /Span BMC ${box(RED, 100, 0, 50, 50)} EMC q 50 0 0 50 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q EMC ${box(BLUE, 150, 100, 20, 20)}`;
    await withoutLayers(layered(content, '/BaseState /OFF /ON [5 0 R]'));
  });

  it('a usage that hides a layer on screen is followed, as browsers do', async () => {
    const source = onePage(`/OC /L BDC ${box(RED, 0, 0, 200, 200)} EMC`, {
      catalog:
        '/OCProperties << /OCGs [5 0 R] /D << /AS [<< /Event /View /OCGs [5 0 R] /Category [/View] >>] >> >>',
      page: '/Resources << /Properties << /L 5 0 R >> >>',
      more: ['<< /Type /OCG /Name (x) /Usage << /View << /ViewState /OFF >> >> >>'],
    });
    expect((await paint(await flat(source), 1)).at(0.5, 0.5)).toEqual(WHITE);
  });
});
