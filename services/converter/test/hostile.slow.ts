/** Hostile files and texts, read by the real process: with isolation by namespaces, and on a system without them. */
import { deflateSync } from 'node:zlib';
import { jest } from '@jest/globals';
import type { AccountSheet } from '@karaar/contracts/documents/print';
import { createConverter } from '@karaar/converting';
import type { Renderer } from '@karaar/rendering';
import { onePage } from '@karaar/rendering/testing/raw-pdf';
import { startCanary, type Canary } from '@karaar/testing/canary';
import { pathWithout, startTestConverter, type TestConverter } from '@karaar/testing/servers/converter';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import { textOf } from '@karaar/testing/pdf-judges';

jest.setTimeout(180_000);

const NS = 'http://schemas.openxmlformats.org';
/** The first line of /etc/passwd, which every Linux machine has. */
const LOCAL_TEXT = 'root:x:0:0';

/** A Word file with references to a picture, a part, a template and fields on a server and on the local machine. */
const reaching = (url: string): Uint8Array =>
  docx([], {
    'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="${NS}/package/2006/relationships">
<Relationship Id="rImg" Type="${NS}/officeDocument/2006/relationships/image" Target="${url}/picture.png" TargetMode="External"/>
<Relationship Id="rSub" Type="${NS}/officeDocument/2006/relationships/subDocument" Target="file:///etc/passwd" TargetMode="External"/>
<Relationship Id="rT" Type="${NS}/officeDocument/2006/relationships/attachedTemplate" Target="${url}/template.dotm" TargetMode="External"/></Relationships>`,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${NS}/wordprocessingml/2006/main" xmlns:r="${NS}/officeDocument/2006/relationships" xmlns:wp="${NS}/drawingml/2006/wordprocessingDrawing" xmlns:a="${NS}/drawingml/2006/main" xmlns:pic="${NS}/drawingml/2006/picture"><w:body>
<w:p><w:r><w:t>Before the picture</w:t></w:r></w:p><w:subDoc r:id="rSub"/>
<w:p><w:fldSimple w:instr="INCLUDETEXT &quot;file:///etc/passwd&quot;"><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p>
<w:p><w:fldSimple w:instr="INCLUDEPICTURE &quot;${url}/field.png&quot;"><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p>
<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="${NS}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rImg"/></pic:blipFill><pic:spPr><a:xfrm><a:ext cx="900000" cy="900000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>`,
  });

const sheet = (text: string): AccountSheet => ({
  part: text,
  title: text,
  lead: text,
  reference: text,
  facts: [{ label: text, value: text }],
  columns: [{ title: text, numeric: false }],
  rows: [[text]],
  note: text,
});

/** A page whose content decompresses to twice the allowed memory. */
const BOMB = onePage('', {
  page: '/Contents 5 0 R',
  more: [
    {
      dict: '/Filter /FlateDecode',
      stream: deflateSync(Buffer.alloc(1_000_000_000, 0x20)).toString('latin1'),
    },
  ],
});

describe.each(['as the system allows it', 'with isolation made unavailable'])('%s', (how) => {
  const isWalled = how === 'as the system allows it';
  let canary: Canary;
  let converter: TestConverter;
  let renderer: Renderer;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    canary = await startCanary();
    const bare = await pathWithout('unshare');
    ({ remove } = bare);
    converter = await startTestConverter(isWalled ? {} : { PATH: bare.path });
    renderer = createConverter({ url: converter.url });
  });
  afterAll(async () => {
    await renderer.close();
    await converter.stop();
    await canary.stop();
    await remove();
  });
  beforeEach(() => void (canary.visits.length = 0));

  const prepare = (name: string, kind: 'pdf' | 'docx', bytes: Uint8Array) =>
    renderer.prepareUpload({ name, kind, bytes });

  it('reports its isolation in the health answer and as a metric', async () => {
    const health = (await (await fetch(`${converter.url}/healthz`)).json()) as Record<string, unknown>;
    const metrics = await (await fetch(`${converter.innerUrl}/metrics`)).text();
    const kind = String(health['isolation']);
    if (!isWalled) expect(kind).toBe('none');
    expect(health['own_account']).toBe(process.getuid?.() === 0);
    for (const each of ['processes_and_network', 'network', 'none'])
      expect(metrics).toContain(`karaar_converter_isolation{kind="${each}"} ${each === kind ? 1 : 0}`);
    expect(metrics).toContain(`karaar_converter_own_account ${process.getuid?.() === 0 ? 1 : 0}`);
  });

  it('fetches nothing for a Word file, and does not include local files in its pages', async () => {
    const { pdf } = await prepare('reaching.docx', 'docx', reaching(canary.url));
    const text = await textOf(pdf);
    expect(text).toContain('Before the picture');
    expect(text).not.toContain(LOCAL_TEXT);
    expect(canary.visits).toEqual([]);
  });

  it('prints markup in a text as text', async () => {
    const markup = `<img src="${canary.url}/a.png"><iframe src="file:///etc/passwd"></iframe><script>fetch("${canary.url}/s")</script>`;
    const text = await textOf(await renderer.printAccount(sheet(markup)));
    expect(text.replace(/\s/g, '')).toContain('<iframesrc=');
    expect(text).not.toContain(LOCAL_TEXT);
    expect(canary.visits).toEqual([]);
  });

  it.each([
    ['that decompresses to more than the allowed memory', 'too_large', () => BOMB],
    ['that is not valid', 'pdf_broken', () => Buffer.from('%PDF-1.7 garbage')],
    ['with very deep nesting', 'pdf_broken', () => Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(200_000)}`)],
  ])('refuses a PDF %s, and reads the next file', async (_, code, make) => {
    await expect(prepare('bad.pdf', 'pdf', make())).rejects.toMatchObject({ code, file: 'bad.pdf' });
    expect(await prepare('good.pdf', 'pdf', await textPdf('Read after it'))).toMatchObject({
      pages: 1,
      texts: [expect.stringContaining('Read after it')],
    });
  });

  it.each([
    ['that is not a ZIP archive', () => Buffer.from('garbage')],
    [
      'with a tag of two million letters',
      () => docx([], { 'word/document.xml': `<${'a'.repeat(2_000_000)}` }),
    ],
  ])('refuses a Word file %s, and reads the next file', async (_, make) => {
    await expect(prepare('bad.docx', 'docx', make())).rejects.toMatchObject({
      code: 'office_broken',
      file: 'bad.docx',
    });
    expect(await prepare('good.docx', 'docx', docx(['Read after it']))).toMatchObject({ pages: 1 });
  });
});
