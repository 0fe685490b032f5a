import { signedPdf, textPdf } from '@karaar/testing/made-up/files';
import { openSource } from './source.ts';
import { onePage, type RawObject } from '../testing/raw-pdf.ts';
import { partsOfPdf } from './left-out-parts.ts';

const parts = async (bytes: Uint8Array) => partsOfPdf(await openSource('deed.pdf', bytes, 10));
const RUN = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
const annot = (rest: string): string => `/Annots [<< /Type /Annot /Rect [20 20 40 40] /F 4 ${rest} >>]`;
const DRAWN = '/AP << /N 5 0 R >>';
const drawing: RawObject = { dict: '/Subtype /Form /BBox [0 0 9 9]', stream: '' };

const TICKED = '/Subtype /Widget /FT /Btn /AS /On /AP << /N << /On null /Off null >> >>';

it.each<[string, Parameters<typeof onePage>[1], string[]]>([
  ['a script at opening', { catalog: `/OpenAction ${RUN}` }, ['scripts']],
  ['a script when the file is closed', { catalog: `/AA << /WC ${RUN} >>` }, ['scripts']],
  ['a script of the file', { catalog: `/Names << /JavaScript << /Names [(a) ${RUN}] >> >>` }, ['scripts']],
  ['a script of a page', { page: `/AA << /O ${RUN} >>` }, ['scripts']],
  ['a script of a bookmark', { catalog: `/Outlines << /First << /A ${RUN} >> >>` }, ['scripts']],
  [
    'a calculation of a field',
    {
      catalog: '/AcroForm << /CO [5 0 R] /Fields [5 0 R] >>',
      more: [`<< /FT /Tx /T (sum) /AA << /C ${RUN} >> >>`],
    },
    ['scripts'],
  ],
  ['a program to start', { page: annot('/Subtype /Link /A << /S /Launch /F (calc.exe) >>') }, ['scripts']],
  [
    'data to send, after another action',
    {
      page: annot(
        '/Subtype /Widget /FT /Btn /A << /S /GoTo /D [0] /Next [<< /S /SubmitForm /F (http://a.example) >>] >>',
      ),
    },
    ['scripts'],
  ],
  [
    'a form of Adobe beside one that all viewers show',
    {
      catalog: '/AcroForm << /XFA [(template) 5 0 R] /Fields [<< /FT /Tx /T (rent) >>] >>',
      more: [{ stream: '<x/>' }],
    },
    ['xfa'],
  ],
  [
    'a time stamp of the file',
    { catalog: '/Perms << /DocMDP << /Type /DocTimeStamp /ByteRange [0 1 2 3] /Contents <30> >> >>' },
    ['signatures'],
  ],
  ['a note', { page: annot('/Subtype /Text /Contents (for three months only)') }, ['comments']],
  [
    'a remark at a mark',
    { page: annot(`/Subtype /Highlight /RC (<p>only May</p>) ${DRAWN}`), more: [drawing] },
    ['comments'],
  ],
  [
    'what shows in print only',
    { page: annot(`/Subtype /Stamp /F 36 ${DRAWN}`), more: [drawing] },
    ['hidden'],
  ],
  ['a film', { page: annot('/Subtype /RichMedia /RichMediaContent << >>') }, ['media']],
  ['a clip that is played', { page: annot('/Subtype /Screen /A << /S /Rendition /OP 0 >>') }, ['media']],
  ['a model', { page: annot('/Subtype /3D') }, ['media']],
  ['a remark at a part to black out', { page: annot('/Subtype /Redact /Contents (names)') }, ['comments']],
  [
    'a remark in a stream',
    { page: annot('/Subtype /Text /RC 5 0 R'), more: [{ stream: '<p>May</p>' }] },
    ['comments'],
  ],
  ['a file on the disk', { page: annot('/Subtype /FileAttachment /FS (annex.pdf)') }, ['linked']],
  ['a ticked box whose value is out', { page: annot(`${TICKED} /V /Off`) }, ['values']],
  [
    'an empty box whose value is ticked',
    { page: annot(`${TICKED.replace('/AS /On', '/AS /Off')} /V /On`) },
    ['values'],
  ],
  [
    'a radio button with the value of another one',
    { page: annot(`${TICKED} /Parent 5 0 R`), more: ['<< /Ff 49152 /V /Other >>'] },
    ['values'],
  ],
])('%s is found', async (_, entries, found) => {
  expect(await parts(onePage('', entries))).toEqual(found);
});

it('a signature is found, together with other parts, in a fixed order', async () => {
  expect(await parts(signedPdf('Sale deed'))).toEqual(['signatures']);
  const page = `/AA << /O ${RUN} >> ${annot('/Subtype /Text /Contents (x)')}`;
  const catalog = '/AcroForm << /Fields [<< /FT /Sig /T (s) /V << /Type /Sig >> >>] >>';
  expect(await parts(onePage('', { page, catalog }))).toEqual(['signatures', 'scripts', 'comments']);
});

it.each<[string, Parameters<typeof onePage>[1]]>([
  [
    'links and jumps',
    {
      page: annot('/Subtype /Link /A << /S /URI /URI (http://a.example) >>'),
      catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>',
    },
  ],
  ['an unsigned field', { catalog: '/AcroForm << /SigFlags 1 /Fields [<< /FT /Sig /T (s) >>] >>' }],
  [
    'the rights that Adobe grants its reader',
    { catalog: '/Perms << /UR3 << /Type /Sig /ByteRange [0 1 2 3] /Contents <30> >> >>' },
  ],
  [
    'words that are drawn, and marks without words',
    {
      page: `/Annots [<< /Subtype /FreeText /Rect [0 0 9 9] /Contents (drawn) >> << /Subtype /Line /Cap true /Rect [0 0 9 9] /Contents (drawn) >> << /Subtype /Highlight /Rect [0 0 9 9] /Contents (  ) >> << /Subtype /Link /Rect [0 0 9 9] /Contents (where to) >>]`,
    },
  ],
  [
    'fields with values, and one that nobody sees',
    { page: annot('/Subtype /Widget /FT /Tx /V (25,000) /F 2') },
  ],
  ['ticked and empty boxes', { page: annot(`${TICKED} /V /On`) }],
  ['empty radio buttons', { page: annot(`${TICKED.replace('/AS /On', '/AS /Off')} /V /Other`) }],
  ['hidden remarks', { page: annot('/Subtype /Text /F 2 /Contents (unseen)') }],
  [
    'names that look like actions',
    { catalog: '/Dests << /JS [3 0 R /Fit] /XFA [3 0 R /Fit] >>', page: '/Trans << /S /Dissolve >>' },
  ],
])('%s are not reported', async (_, entries) => {
  expect(await parts(onePage('', entries))).toEqual([]);
});

it('a plain file has no such parts', async () => {
  expect(await parts(await textPdf('Rent', 'Terms'))).toEqual([]);
});

it('objects that refer to each other in cycles are visited once', async () => {
  const more = ['<< /Next 6 0 R /Prev 6 0 R >>', `<< /Next 5 0 R /A ${RUN} >>`];
  expect(await parts(onePage('', { catalog: '/Outlines 5 0 R', more }))).toEqual(['scripts']);
});
