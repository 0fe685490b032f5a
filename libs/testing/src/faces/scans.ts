/**
 * PDFs as scanners and phones write them: each page is one picture, in a codec that only some readers
 * support.
 */
import sharp from 'sharp';
import { pdfOf } from '../made-up/files.ts';

export const SCAN_CODECS = ['jbig2', 'ccitt', 'jpeg2000', 'jpeg', 'flate'] as const;
/**
 * `profiled` is dark red without its colour profile, and lighter with it; `cut` is the beginning of a JPEG, which
 * nothing can decode.
 */
export type ScanCodec = (typeof SCAN_CODECS)[number] | 'profiled' | 'cut';

const SIDE = 32;

/** A black square on white, 32 pixels wide, as JPEG 2000; a constant, because no library here encodes it. */
const JPEG_2000 = Buffer.from(
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAIAAAACAAAQcHAAAAAAAPY29scgEAAAAA' +
    'ABEAAAGNanAyY/9P/1EAKQAAAAAAIAAAACAAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAAAQcBAf9SAAwAAAABAAEEBAAB/1wAB0BA' +
    'SEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAABGAAB/5PfhWYfPh/ZEKP0ckm0QoCVVt3E' +
    'YrVUme8XcHXuZw5igfW4AABvuyCPwqsAQ/5dkATk5NqKhaESr8zn/3/zCRoKEgiprCLuqyCgm8IDN0024ayBmBmsngNIMwkDpM4R' +
    'd1WQUE3hAZumm3DQuV6D/3+YSNBQkEVNYRd1WQUE3hAZumm3RPZ9CGazNno/MJA6TOEXdVkFBN4Rjpz/gABiyubwM1s9H5hIHSZw' +
    'i7qsgoJvCMdOf/+AL8/Ahn4EEPtCgG8JOob29sJ+Tcf1k+qRcFIe0KKEZutJL5t/KctZNfB6xyivEEBVsAX5vhrlL+aDgT7TIIGG' +
    '3joE7aHTVqQ6hASGHcqCMFRgmmeFO//Z',
  'base64',
);

/** Returns a PDF with a page per codec, each with a black square in the middle of white. */
export async function scannedPdf(...codecs: ScanCodec[]): Promise<Uint8Array> {
  const pages = codecs.map((_, i) => 3 + 3 * i);
  const objects = [
    text('<< /Type /Catalog /Pages 2 0 R >>'),
    text(`<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] /Count ${pages.length} >>`),
  ];
  for (const [i, codec] of codecs.entries()) {
    const page = pages[i] ?? 0;
    const resources = `<< /XObject << /Scan ${page + 2} 0 R >> >>`;
    objects.push(
      text(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${page + 1} 0 R /Resources ${resources} >>`,
      ),
      stream('', Buffer.from('q 200 0 0 200 0 0 cm /Scan Do Q')),
      await scan(codec),
    );
  }
  return pdfOf(objects);
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1');

function stream(dict: string, data: Buffer): Buffer {
  return Buffer.concat([text(`<< ${dict} /Length ${data.length} >>\nstream\n`), data, text('\nendstream')]);
}

async function scan(codec: ScanCodec): Promise<Buffer> {
  const image = `/Type /XObject /Subtype /Image /Width ${SIDE} /Height ${SIDE}`;
  const black = `${image} /ColorSpace /DeviceGray /BitsPerComponent 1`;
  const grey = `${image} /ColorSpace /DeviceGray /BitsPerComponent 8`;
  switch (codec) {
    case 'jbig2':
      return stream(`${black} /Filter /JBIG2Decode`, jbig2(await group4()));
    case 'ccitt': {
      const parms = `/DecodeParms << /K -1 /Columns ${SIDE} /Rows ${SIDE} >>`;
      return stream(`${black} /Filter /CCITTFaxDecode ${parms}`, await group4());
    }
    case 'jpeg2000':
      return stream(`${grey} /Filter /JPXDecode`, JPEG_2000);
    case 'jpeg':
      return stream(`${grey} /Filter /DCTDecode`, await square().jpeg({ quality: 95 }).toBuffer());
    case 'profiled': {
      const red = sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#6a0000' } });
      const jpeg = await red.withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
      const colour = `${image} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
      return stream(`${colour} /Filter /DCTDecode`, jpeg);
    }
    case 'cut':
      return stream(`${grey} /Filter /DCTDecode`, (await square().jpeg().toBuffer()).subarray(0, 40));
    case 'flate':
      return stream(grey, await square().raw().toBuffer());
  }
}

function square() {
  const data = Buffer.alloc(SIDE * SIDE, 255);
  for (let y = 6; y < 26; y += 1) data.fill(0, y * SIDE + 6, y * SIDE + 26);
  return sharp(data, { raw: { width: SIDE, height: SIDE, channels: 1 } }).toColourspace('b-w');
}

/** Returns the square in fax coding (ITU-T T.6): the one strip of a TIFF file. */
async function group4(): Promise<Buffer> {
  const tiff = await square().tiff({ compression: 'ccittfax4', bitdepth: 1, miniswhite: true }).toBuffer();
  const tag = (wanted: number): number => {
    const directory = tiff.readUInt32LE(4);
    for (let i = 0; i < tiff.readUInt16LE(directory); i += 1) {
      const at = directory + 2 + 12 * i;
      if (tiff.readUInt16LE(at) === wanted)
        return tiff.readUInt16LE(at + 2) === 3 ? tiff.readUInt16LE(at + 8) : tiff.readUInt32LE(at + 8);
    }
    throw new Error(`The TIFF has no tag ${wanted}`);
  };
  const [STRIP_OFFSETS, STRIP_BYTES] = [273, 279];
  return tiff.subarray(tag(STRIP_OFFSETS), tag(STRIP_OFFSETS) + tag(STRIP_BYTES));
}

/** JBIG2 may contain a region in fax coding (ITU-T T.88 §6.2.6), which makes the smallest possible file. */
function jbig2(data: Buffer): Buffer {
  const segment = (number: number, type: number, parts: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(11);
    head.writeUInt32BE(number, 0);
    head.writeUInt8(type, 4);
    head.writeUInt8(1, 6); // of page 1
    head.writeUInt32BE(body.length, 7);
    return Buffer.concat([head, body]);
  };
  const size = Buffer.alloc(8);
  size.writeUInt32BE(SIDE, 0);
  size.writeUInt32BE(SIDE, 4);
  const [PAGE, REGION] = [48, 38];
  return Buffer.concat([
    segment(0, PAGE, [size, Buffer.alloc(11)]),
    segment(1, REGION, [size, Buffer.alloc(9), Buffer.from([1]), data]),
  ]);
}
