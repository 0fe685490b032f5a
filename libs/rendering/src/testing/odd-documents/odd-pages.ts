/**
 * Rare but valid pages: inherited, layered, with unusual colours, images and encodings, and unusual files.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { BLUE, box, GREEN, onePage, rawPdf, RED, type RawObject } from '../raw-pdf.ts';
import { CHROMIUM } from '@karaar/testing/programs';
import { SCAN_CODECS, scannedPdf } from '@karaar/testing/faces/scans';
import sharp from 'sharp';
import { GREY, type Documents } from './fields.ts';

const run = promisify(execFile);
const both = box(RED, 0, 0, 100, 100) + box(BLUE, 100, 100, 100, 100);
const hex = (bytes: readonly number[]): string =>
  `${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}>`;
const resources = (rest: string): string => `/Resources << ${rest} >>`;

const image = (dict: string, bytes: readonly number[], [width, height] = [2, 2]): RawObject => ({
  dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${dict} /Filter /ASCIIHexDecode`,
  stream: hex(bytes),
});
const pictured = (objects: readonly RawObject[], before = GREY): Uint8Array =>
  onePage(`${before} q 160 0 0 160 20 20 cm /I Do Q`, {
    page: resources('/XObject << /I 5 0 R >>'),
    more: objects,
  });
const rgb = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0];

function images(): Documents {
  const colour = (space: string, bytes: readonly number[], bits = 8): Uint8Array =>
    pictured([image(`/ColorSpace ${space} /BitsPerComponent ${bits}`, bytes)]);
  return {
    'image-indexed': colour('[/Indexed /DeviceRGB 3 <ff000000ff000000ffffff00>]', [0, 1, 2, 3]),
    'image-4-bit-grey': colour('/DeviceGray', [0x0f, 0x80], 4),
    'image-16-bit': colour('/DeviceGray', [0, 0, 255, 255, 128, 0, 64, 0], 16),
    'image-cmyk': colour('/DeviceCMYK', [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255]),
    'image-lab': colour('[/Lab << /WhitePoint [.95 1 1.09] /Range [-100 100 -100 100] >>]', rgb),
    'image-calrgb': colour('[/CalRGB << /WhitePoint [.95 1 1.09] /Gamma [2.2 2.2 2.2] >>]', rgb),
    'image-stencil': pictured(
      [image('/ImageMask true /BitsPerComponent 1', [0x80, 0x40])],
      `${GREY} 0 0 1 rg`,
    ),
    'image-decode-inverted': pictured([
      image('/ColorSpace /DeviceGray /BitsPerComponent 8 /Decode [1 0]', [0, 80, 160, 255]),
    ]),
    'image-colour-key': pictured([
      image('/ColorSpace /DeviceRGB /BitsPerComponent 8 /Mask [250 255 0 5 0 5]', rgb),
    ]),
    'image-explicit-mask': pictured([
      image('/ColorSpace /DeviceRGB /BitsPerComponent 8 /Mask 6 0 R', rgb),
      image('/ImageMask true /BitsPerComponent 1', [0x80, 0x40]),
    ]),
    'image-soft-mask-matte': pictured([
      image('/ColorSpace /DeviceRGB /BitsPerComponent 8 /SMask 6 0 R', rgb),
      image('/ColorSpace /DeviceGray /BitsPerComponent 8 /Matte [0 0 0]', [255, 128, 64, 200]),
    ]),
    'image-devicen': pictured([
      image(
        '/ColorSpace [/DeviceN [/Cyan /Spot] /DeviceRGB 6 0 R] /BitsPerComponent 8',
        [0, 0, 255, 0, 0, 255, 128, 128],
      ),
      {
        dict: '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]',
        stream: '{ exch 1 exch sub exch 1 exch sub dup }',
      },
    ]),
  };
}

function contents(): Documents {
  const tint = '<< /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [.8 .2 0] /N 1 >>';
  const glyph = (operators: string): RawObject => ({ stream: operators });
  const type3 = (more: string): string =>
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 65 /LastChar 65 /Widths [1000] /Encoding << /Differences [65 /A] >> /CharProcs << /A 6 0 R >> ${more} >>`;
  const packed = (filter: string, data: string): Uint8Array =>
    onePage('', { page: '/Contents 5 0 R', more: [{ dict: `/Filter ${filter}`, stream: data }] });
  const flate = deflateSync(Buffer.from(both));
  return {
    separation: onePage('/S cs .9 scn 20 20 160 160 re f', {
      page: resources(`/ColorSpace << /S [/Separation /Spot /DeviceRGB ${tint}] >>`),
    }),
    'separation-none': onePage(`${GREY} /S cs 1 scn 20 20 160 160 re f`, {
      page: resources(`/ColorSpace << /S [/Separation /None /DeviceRGB ${tint}] >>`),
    }),
    'default-colour-space': onePage('1 0 0 rg 20 20 160 160 re f', {
      page: resources(
        '/ColorSpace << /DefaultRGB [/CalRGB << /WhitePoint [.95 1 1.09] /Gamma [1 1 1] >>] >>',
      ),
    }),
    'type3-coloured': onePage('BT /T 90 Tf 20 20 Td (A) Tj ET', {
      page: resources('/Font << /T 5 0 R >>'),
      more: [
        type3('/Resources << >>'),
        glyph(`1000 0 d0 ${box(RED, 0, 0, 500, 800)} ${box(BLUE, 500, 0, 500, 400)}`),
      ],
    }),
    'type3-resources-of-page': onePage('BT /T 90 Tf 20 20 Td (A) Tj ET', {
      page: resources('/Font << /T 5 0 R >> /XObject << /X 7 0 R >>'),
      more: [
        type3(''),
        glyph('1000 0 d0 /X Do'),
        { dict: '/Type /XObject /Subtype /Form /BBox [0 0 900 900]', stream: box(GREEN, 0, 0, 900, 900) },
      ],
    }),
    'text-as-clip': onePage(`q BT /F 60 Tf 7 Tr 10 80 Td (CLIP) Tj ET ${box(RED, 0, 0, 200, 110)} Q`, {
      page: resources('/Font << /F 5 0 R >>'),
      more: ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>'],
    }),
    'knockout-group': onePage('/G Do', {
      page: `/Group << /S /Transparency /CS /DeviceRGB /I true >> ${resources('/XObject << /G 5 0 R >>')}`,
      more: [
        {
          dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Group << /S /Transparency /K true >> /Resources << /ExtGState << /H << /ca .5 >> >> >>',
          stream: `/H gs ${box(RED, 20, 20, 100, 100)} ${box(BLUE, 70, 70, 100, 100)}`,
        },
      ],
    }),
    'soft-mask-alpha': onePage(`${GREY} /M gs ${box(RED, 0, 0, 200, 200)}`, {
      page: resources('/ExtGState << /M << /SMask << /S /Alpha /G 5 0 R >> >> >>'),
      more: [
        {
          dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Group << /S /Transparency >> /Resources << /ExtGState << /H << /ca .5 >> >> >>',
          stream: '/H gs 40 40 120 120 re f',
        },
      ],
    }),
    'uncoloured-pattern': onePage('/C cs 1 0 0 /P scn 0 0 200 200 re f', {
      page: resources('/ColorSpace << /C [/Pattern /DeviceRGB] >> /Pattern << /P 5 0 R >>'),
      more: [
        {
          dict: '/PatternType 1 /PaintType 2 /TilingType 1 /BBox [0 0 20 20] /XStep 20 /YStep 20 /Matrix [1 .2 0 1 0 0] /Resources << >>',
          stream: '0 0 10 10 re f',
        },
      ],
    }),
    'radial-shading': onePage('/S sh', {
      page: resources(
        '/Shading << /S << /ShadingType 3 /ColorSpace /DeviceRGB /Coords [100 100 10 100 100 90] /Function << /FunctionType 3 /Domain [0 1] /Bounds [.5] /Encode [0 1 0 1] /Functions [<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 1 0] /N 1 >> << /FunctionType 2 /Domain [0 1] /C0 [0 1 0] /C1 [0 0 1] /N 1 >>] >> >> >>',
      ),
    }),
    'mesh-shading': onePage('/S sh', {
      page: resources('/Shading << /S 5 0 R >>'),
      more: [
        {
          dict: '/ShadingType 4 /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [0 200 0 200 0 1 0 1 0 1] /Filter /ASCIIHexDecode',
          stream: '001414ff0000 00eb1400ff00 0080eb0000ff>',
        },
      ],
    }),
    unbalanced: onePage(
      `q q 2 0 0 2 0 0 cm ${box(RED, 0, 0, 50, 50)} Q BT /F 12 Tf ET Q Q Q ${box(BLUE, 100, 100, 50, 50)} q`,
    ),
    'words-of-the-future': onePage(`BX 1 2 3 newop EX ${both} /Tag << /MCID 0 >> BDC EMC`),
    'ascii85-and-flate': packed('[/ASCII85Decode /FlateDecode]', ascii85(flate)),
    'hex-of-content': packed('/ASCIIHexDecode', hex([...Buffer.from(both)])),
    'run-length': packed('/RunLengthDecode', runLength(both)),
    'split-in-the-middle': onePage('', {
      page: '/Contents [5 0 R 6 0 R 7 0 R]',
      more: [{ stream: '1 0 0 rg 0 0 100' }, { stream: '100 re' }, { stream: 'f' }],
    }),
    'names-with-escapes': onePage('/My#20Box Do', {
      page: resources('/XObject << /My#20Box 5 0 R >>'),
      more: [{ dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200]', stream: both }],
    }),
    'layers-with-policies': onePage(
      `/OC /A BDC ${box(RED, 0, 0, 60, 200)} EMC /OC /B BDC ${box(GREEN, 60, 0, 60, 200)} EMC /OC /C BDC ${box(BLUE, 120, 0, 60, 200)} EMC`,
      {
        catalog:
          '/OCProperties << /OCGs [5 0 R 6 0 R] /D << /BaseState /OFF /ON [5 0 R] /AS [<< /Event /Print /Category [/Print] /OCGs [5 0 R] >>] >> >>',
        page: resources('/Properties << /A 7 0 R /B 8 0 R /C 9 0 R >>'),
        more: [
          '<< /Type /OCG /Name (on) /Usage << /Print << /PrintState /OFF >> >> >>',
          '<< /Type /OCG /Name (off) >>',
          '<< /Type /OCMD /OCGs [5 0 R 6 0 R] /P /AllOn >>',
          '<< /Type /OCMD /OCGs [5 0 R 6 0 R] /P /AnyOff >>',
          '<< /Type /OCMD /VE [/Not 6 0 R] >>',
        ],
      },
    ),
    'form-in-hidden-layer': onePage(`${GREY} /X Do`, {
      catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>',
      page: resources('/XObject << /X 5 0 R >>'),
      more: [
        { dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200] /OC 6 0 R', stream: both },
        '<< /Type /OCG /Name (off) >>',
      ],
    }),
  };
}

function ascii85(bytes: Uint8Array): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const part = Buffer.alloc(4);
    const length = Buffer.from(bytes.subarray(at, at + 4)).copy(part);
    let value = part.readUInt32BE(0);
    const digits: string[] = [];
    for (let i = 0; i < 5; i += 1, value = Math.floor(value / 85))
      digits.unshift(String.fromCharCode(33 + (value % 85)));
    out += digits.slice(0, length + 1).join('');
  }
  return `${out}~>`;
}

function runLength(text: string): string {
  const parts = text.match(/[^]{1,128}/g) ?? [];
  return `${parts.map((part) => String.fromCharCode(part.length - 1) + part).join('')}\x80`;
}

function trees(): Documents {
  const leaf = (rest: string): string => `<< /Type /Page /Parent 3 0 R /Contents 6 0 R ${rest} >>`;
  return {
    'tree-with-inherited-resources': rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /S /r >> 1 << /S /D /P (A-) /St 5 >>] >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 2 /Resources << /XObject << /X 7 0 R >> >> /MediaBox [0 0 200 300] >>',
      '<< /Type /Pages /Parent 2 0 R /Kids [4 0 R 5 0 R] /Count 2 /Rotate 90 /CropBox [10 10 190 290] >>',
      leaf(''),
      leaf('/Rotate 0 /MediaBox [0 0 150 150]'),
      { stream: '/X Do' },
      { dict: '/Type /XObject /Subtype /Form /BBox [0 0 200 200]', stream: both },
    ]),
    'rotate-minus-270': onePage(both, { page: '/Rotate -270' }),
    'rotate-450': onePage(both, { page: '/Rotate 450' }),
    'no-contents': onePage('', { page: '/Contents null' }),
    'art-and-trim-boxes': onePage(both, {
      page: '/TrimBox [20 20 180 180] /BleedBox [10 10 190 190] /ArtBox [50 50 100 100]',
    }),
  };
}

/** A table with a stream of the objects that it hides (ISO 32000-1 §7.5.8.4). */
function hybrid(): Uint8Array {
  const whole = Buffer.from(onePage(both)).toString('latin1');
  const start = whole.lastIndexOf('xref\n0');
  const body = whole.slice(0, start);
  const stream =
    '7 0 obj\n<< /Type /XRef /Size 8 /W [1 4 1] /Index [7 1] /Root 1 0 R /Filter /ASCIIHexDecode /Length 13 >>\nstream\n010000000000>\nendstream\nendobj\n';
  const table = whole.slice(start).replace(/startxref\s+\d+/, `startxref\n${start + stream.length}`);
  return Buffer.from(
    `${body}${stream}${table.replace('/Root 1 0 R', `/Root 1 0 R /XRefStm ${start}`)}`,
    'latin1',
  );
}

async function byChrome(folder: string): Promise<Uint8Array> {
  const [from, to] = [join(folder, 'page.html'), join(folder, 'page.pdf')];
  await writeFile(
    from,
    '<meta charset="utf-8"><h1>किराया समझौता · Rent agreement</h1><table border="1"><tr><td>₹ 10,000<td><a href="https://example.org">link</a></table><p style="opacity:.5;transform:rotate(3deg)">Turned words</p>',
  );
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}/chrome`];
  await run(CHROMIUM, [...flags, '--no-pdf-header-footer', `--print-to-pdf=${to}`, `file://${from}`], {
    timeout: 60_000,
  });
  return readFile(to);
}

/** A scan as phones write it: one large photo on a page of its size in pixels. */
async function photographed(): Promise<Uint8Array> {
  const [width, height] = [2480, 3508];
  const noise = { type: 'gaussian', mean: 200, sigma: 20 } as const;
  const jpeg = await sharp({ create: { width, height, channels: 3, background: '#fff', noise } })
    .jpeg({ quality: 80 })
    .toBuffer();
  const dict = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`;
  return onePage(`q ${width} 0 0 ${height} 0 0 cm /I Do Q`, {
    page: `/MediaBox [0 0 ${width} ${height}] ${resources('/XObject << /I 5 0 R >>')}`,
    more: [{ dict, stream: jpeg.toString('latin1') }],
  });
}

/** @param folder for the output of other programs */
export async function oddPages(folder: string): Promise<Documents> {
  const files: Documents = {
    'hybrid-reference': hybrid(),
    'crop-outside': onePage(both, { page: '/CropBox [500 500 600 600]' }),
    'saved-by-chrome': await byChrome(folder),
    photographed: await photographed(),
    scans: await scannedPdf(...SCAN_CODECS),
    'version-2': Buffer.from(
      Buffer.from(onePage(both)).toString('latin1').replace('%PDF-1.7', '%PDF-2.0'),
      'latin1',
    ),
    portfolio: onePage(both, {
      catalog: '/Collection << /View /T >> /Names << /EmbeddedFiles << /Names [(a) 5 0 R] >> >>',
      more: ['<< /Type /Filespec /F (a.pdf) >>'],
    }),
    attachments: onePage(both, {
      catalog: '/Names << /EmbeddedFiles << /Names [(a) 5 0 R] >> >> /AF [5 0 R]',
      more: ['<< /Type /Filespec /F (a.xml) /AFRelationship /Data >>'],
    }),
    'locked-by-certificate': onePage(both, {
      trailer: '/ID [<00><00>] /Encrypt 5 0 R',
      more: ['<< /Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s4 /V 1 /Recipients [<00>] >>'],
    }),
    'font-not-there': onePage('BT /F 24 Tf 10 100 Td (fdjk;k) Tj ET', {
      page: resources('/Font << /F 5 0 R >>'),
      more: ['<< /Type /Font /Subtype /TrueType /BaseFont /KrutiDev010 >>'],
    }),
  };
  return { ...images(), ...contents(), ...trees(), ...files };
}
