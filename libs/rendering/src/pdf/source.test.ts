import { deflateSync } from 'node:zlib';
import { PDF } from '@libpdf/core';
import type { RenderErrorCode } from '../errors.ts';
import { box, onePage, rawPdf, RED } from '../testing/raw-pdf.ts';
import { textPdf } from '@karaar/testing/made-up/files';
import { inspectPdf } from './inspect.ts';
import { openSource } from './source.ts';

async function refusal(
  bytes: Uint8Array,
): Promise<{ code: RenderErrorCode; file?: string; message: string }> {
  try {
    await inspectPdf('lease.pdf', bytes, 50);
  } catch (error) {
    return error as { code: RenderErrorCode; file?: string; message: string };
  }
  throw new Error('The file was accepted');
}

describe('an uploaded PDF', () => {
  it('is refused by name if it is encrypted, with or without a password to open it', async () => {
    for (const userPassword of ['', 'secret']) {
      const pdf = await PDF.load(await textPdf('Hidden words'));
      pdf.setProtection({ userPassword, ownerPassword: 'owner' });
      const error = await refusal(await pdf.save());
      expect(error.code).toBe('pdf_encrypted');
      expect(error.file).toBe('lease.pdf');
      expect(error.message).toContain('"lease.pdf"');
    }
  });

  it.each([
    ['not a PDF at all', Buffer.from('hello, this is a text file')],
    ['a header and nothing else', Buffer.from('%PDF-1.7\n')],
    ['garbage after a header', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4000, 0xa7)])],
    ['no pages', rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'])],
    [
      'a page that is missing',
      rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [9 0 R] /Count 1 >>']),
    ],
    [
      'a list of pages that runs in a circle',
      rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
    ],
    [
      'something that is not a page in its place',
      rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [1 0 R] /Count 1 >>']),
    ],
    ['a page without area', onePage('', { page: '/MediaBox [0 0 0 0]' })],
    [
      'page content that does not unpack',
      onePage('', {
        page: '/Contents 5 0 R',
        more: [{ dict: '/Filter /FlateDecode', stream: 'this is not compressed data at all' }],
      }),
    ],
    [
      'page content with an unknown filter',
      onePage('', {
        page: '/Contents 5 0 R',
        more: [{ dict: '/Filter /NoSuchFilter', stream: 'this is data of an unknown kind' }],
      }),
    ],
  ])('is refused as broken: %s', async (_, bytes) => {
    const error = await refusal(bytes);
    expect(error.code).toBe('pdf_broken');
    expect(error.file).toBe('lease.pdf');
  });

  const inNames = '/Names << /EmbeddedFiles << /Names [(a.pdf) 5 0 R (b.pdf) 5 0 R] >> >>';
  const inKids = '/Names << /EmbeddedFiles << /Kids [6 0 R] >> >>';
  const more = ['<< /Type /Filespec /F (a.pdf) >>', '<< /Names [(a.pdf) 5 0 R] >>'];
  const dynamic = '/AcroForm << /XFA [(template) 5 0 R] /Fields [] >>';

  it.each([
    ['a portfolio', 'pdf_collection', `/Collection << >> ${inNames}`, 'a folder with 2 other files'],
    ['a portfolio with a tree of names', 'pdf_collection', `/Collection << >> ${inKids}`, 'another file'],
    ['a form that says that only Adobe draws it', 'pdf_xfa', '/NeedsRendering true', 'only Adobe'],
    ['a form without fields that others could draw', 'pdf_xfa', dynamic, 'only Adobe'],
  ])('is refused with its specific reason: %s', async (_, code, catalog, words) => {
    const error = await refusal(onePage('', { catalog, more }));
    expect(error).toMatchObject({ code, file: 'lease.pdf', message: expect.stringContaining(words) });
  });

  it('is accepted with files attached to its own pages, and as a form with its own fields', async () => {
    expect(await inspectPdf('lease.pdf', onePage('', { catalog: inNames, more }), 50)).toBe(1);
    expect(await inspectPdf('lease.pdf', onePage('', { catalog: '/Collection << >>' }), 50)).toBe(1);
    const both = '/AcroForm << /XFA [(template) 5 0 R] /Fields [5 0 R] >>';
    expect(await inspectPdf('lease.pdf', onePage('', { catalog: both, more }), 50)).toBe(1);
  });

  it('is accepted with a page dictionary without a type', async () => {
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Kids [3 0 R] /Count 1 >>',
      '<< /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    ];
    expect(await inspectPdf('lease.pdf', rawPdf(objects), 50)).toBe(1);
  });

  it('is refused with more pages than the limit', async () => {
    const kids = Array.from({ length: 51 }, () => '3 0 R').join(' ');
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count 51 >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    ];
    const repeated = await refusal(rawPdf(objects));
    expect(['too_large', 'pdf_broken']).toContain(repeated.code); // a page that is listed twice is not a tree either
    expect((await refusal(await textPdf(...Array.from({ length: 51 }, (_, i) => `Page ${i}`)))).code).toBe(
      'too_large',
    );
  });

  it('is accepted with page content that unpacks', async () => {
    const stream = deflateSync(Buffer.from(box(RED, 0, 0, 5, 5))).toString('latin1');
    const source = onePage('', { page: '/Contents 5 0 R', more: [{ dict: '/Filter /FlateDecode', stream }] });
    expect(await inspectPdf('lease.pdf', source, 50)).toBe(1);
  });

  it('has its effective rotation and boxes read, however they are written', async () => {
    const source = await openSource(
      'x.pdf',
      onePage('', { page: '/Rotate -90 /MediaBox [200 100 0 0] /CropBox [1 2 3 4]' }),
      9,
    );
    expect(source.pages[0]).toMatchObject({ rotate: 270, mediaBox: [0, 0, 200, 100], cropBox: [1, 2, 3, 4] });
  });
});
