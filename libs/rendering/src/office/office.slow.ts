import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { startCanary, type Canary } from '@karaar/testing/canary';
import { until } from '@karaar/testing/until';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createOfficeConverter, type OfficeConverter } from './office.ts';
import { officePipes } from './office-pipe.ts';
import { checkOffice } from './office-check.ts';
import { docx } from '@karaar/testing/made-up/files';
import { SOFFICE } from '@karaar/testing/programs';
import { textOf, tool } from '@karaar/testing/pdf-judges';

jest.setTimeout(120_000);

const run = promisify(execFile);
const signal = new AbortController().signal;
let workDir: string;
const opened: OfficeConverter[] = [];

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-office-'));
});

afterAll(async () => {
  await Promise.all(opened.map((office) => office.close()));
  expect((await readdir(workDir)).filter((name) => !name.startsWith('test-'))).toEqual([]);
  await rm(workDir, { recursive: true });
});

function converter(
  options: Partial<Parameters<typeof createOfficeConverter>[0]> = {},
  officeMs = 60_000,
): OfficeConverter {
  const office = createOfficeConverter({
    sofficePath: SOFFICE,
    workDir,
    limits: { ...DEFAULT_LIMITS, officeMs },
    ...options,
  });
  opened.push(office);
  return office;
}

async function file(
  name: string,
  bytes: Uint8Array,
): Promise<{ name: string; path: string; kind: 'doc' | 'docx' }> {
  const path = join(workDir, `test-${name}`);
  await writeFile(path, bytes);
  return { name, path, kind: name.endsWith('.doc') ? 'doc' : 'docx' };
}

/** Returns the command lines of running processes that contain this text. */
async function running(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // the process ended meanwhile
      return raw.replaceAll('\0', ' ').trim();
    }),
  );
  return lines.filter((line) => line.includes(text));
}

describe('Word files', () => {
  it('DOCX and DOC become pages with their text', async () => {
    const office = converter();
    const source = await file('letter.docx', docx(['The words of the letter', '&amp; a second line']));
    const text = await textOf(await office.convert(source, { signal }));
    expect(text).toContain('The words of the letter');
    expect(text).toContain('& a second line');

    // A real DOC: LibreOffice writes one from our DOCX.
    const profile = `-env:UserInstallation=file://${workDir}/test-profile`;
    await run(SOFFICE, [
      profile,
      '--headless',
      '--convert-to',
      'doc:MS Word 97',
      '--outdir',
      workDir,
      source.path,
    ]);
    const old = { name: 'letter.doc', path: join(workDir, 'test-letter.doc'), kind: 'doc' as const };
    checkOffice(old.name, 'doc', await readFile(old.path));
    expect(await textOf(await office.convert(old, { signal }))).toContain('The words of the letter');
  });

  it('Indian scripts are drawn with our fonts if the machine has none', async () => {
    const names = ['विक्रम शाह', 'বিক্রম', 'ਵਿਕਰਮ', 'વિક્રમ', 'ବିକ୍ରମ', 'விக்ரம்', 'విక్రమ్', 'ವಿಕ್ರಮ್', 'വിക്രം'];
    const pdf = await converter().convert(await file('names.docx', docx(names)), { signal });
    const fonts = await tool('pdffonts', (path) => [path], pdf);
    for (const script of [
      'Devanagari',
      'Bengali',
      'Gurmukhi',
      'Gujarati',
      'Oriya',
      'Tamil',
      'Telugu',
      'Kannada',
      'Malayalam',
    ])
      expect(fonts).toContain(`NotoSans${script}`);
  });

  it('two conversions do not disturb each other: each has its own profile', async () => {
    const office = converter({ limits: { ...DEFAULT_LIMITS, officeJobs: 2 } });
    const texts = await Promise.all(
      ['one', 'two', 'three'].map(async (word) =>
        textOf(await office.convert(await file(`${word}.docx`, docx([`Letter ${word}`])), { signal })),
      ),
    );
    expect(texts.map((text) => text.trim())).toEqual(['Letter one', 'Letter two', 'Letter three']);
  });

  it('a file that is not a Word file is refused by name', async () => {
    const source = await file('fake.docx', Buffer.from('PK\u0003\u0004 this is not a zip'));
    await expect(converter().convert(source, { signal })).rejects.toMatchObject({
      code: 'office_broken',
      file: 'fake.docx',
    });
  });
});

describe('limits of the conversion', () => {
  it('past its deadline LibreOffice and all of its processes are killed', async () => {
    const office = converter({}, 700);
    const source = await file('slow.docx', docx(['x']));
    await expect(office.convert(source, { signal })).rejects.toMatchObject({
      code: 'office_timeout',
      file: 'slow.docx',
    });
    expect(await running(`${workDir}/office-`)).toEqual([]);
  });

  it.each([
    ['with namespaces', undefined],
    ['without them', [] as string[]],
  ])(
    'a program that ignores signals and leaves its group does not survive either, %s',
    async (_, isolation) => {
      const nap = `sleep ${100_000 + process.pid}`;
      const stubborn = join(workDir, 'test-soffice');
      await writeFile(stubborn, `#!/bin/sh\ntrap '' TERM INT HUP\n${nap} &\nsetsid ${nap} &\nwait\n`);
      await chmod(stubborn, 0o755);
      const started = Date.now();
      const office = converter({ sofficePath: stubborn, ...(isolation ? { isolation } : {}) }, 600);
      const work = office.convert(await file('x.docx', docx(['x'])), { signal });
      await expect(work).rejects.toMatchObject({ code: 'office_timeout' });
      expect(Date.now() - started).toBeLessThan(10_000);
      expect(await running(nap)).toEqual([]);
    },
  );

  it('an abort of the caller stops the conversion', async () => {
    const controller = new AbortController();
    const work = converter().convert(await file('y.docx', docx(['y'])), { signal: controller.signal });
    setTimeout(() => controller.abort(), 400);
    await expect(work).rejects.toMatchObject({ code: 'aborted' });
    expect(await running(`${workDir}/office-`)).toEqual([]);
  });

  it('a killed program leaves no socket behind', async () => {
    const controller = new AbortController();
    const work = converter().convert(await file('s.docx', docx(['s'])), { signal: controller.signal });
    const settled = work.catch((error: unknown) => error);
    let pipe = '';
    await until('it listens at its socket', async () => {
      const [office = ''] = (await readdir(workDir)).filter((name) => name.startsWith('office-'));
      const pipes = officePipes(pathToFileURL(join(workDir, office, 'profile')).href);
      pipe = pipes.find((path) => existsSync(path)) ?? '';
      return pipe !== '';
    });
    controller.abort();
    expect(await settled).toMatchObject({ code: 'aborted' });
    expect(existsSync(pipe)).toBe(false);
  });

  it('an abort while the file is handed over is not reported as a fault of the program', async () => {
    const halfDeaf = join(workDir, 'test-half-deaf');
    // The fake program reports that it is ready but reads nothing, so its end breaks the connection.
    await writeFile(
      halfDeaf,
      `#!${process.execPath}
const profile = process.argv.find((arg) => arg.startsWith('-env:')).split('=')[1];
import(${JSON.stringify(new URL('office-pipe.ts', import.meta.url).href)}).then(({ officePipes }) => {
  require('node:net').createServer({ pauseOnConnect: true }, (socket) => socket.write('InternalIPC::SendArguments\\0'))
    .listen(officePipes(profile)[0]);
});
`,
    );
    await chmod(halfDeaf, 0o755);
    const controller = new AbortController();
    const office = converter({ sofficePath: halfDeaf, limits: { ...DEFAULT_LIMITS, officeMemory: 2 ** 40 } });
    const work = office.convert(await file('h.docx', docx(['h'])), { signal: controller.signal });
    setTimeout(() => controller.abort(), 1500);
    await expect(work).rejects.toMatchObject({ code: 'aborted' });
  });

  it('a program that exceeds its memory limit fails alone', async () => {
    const greedy = join(workDir, 'test-greedy');
    await writeFile(
      greedy,
      `#!/bin/sh\nexec ${process.execPath} -e 'const a=[];for(;;)a.push(Buffer.alloc(5e7,1))'\n`,
    );
    await chmod(greedy, 0o755);
    const office = converter({
      sofficePath: greedy,
      limits: { ...DEFAULT_LIMITS, officeMemory: 1024 * 1024 * 1024 },
    });
    await expect(office.convert(await file('z.docx', docx(['z'])), { signal })).rejects.toMatchObject({
      code: 'office_broken',
    });
  });
});

describe('network', () => {
  let canary: Canary;
  let url: string;

  beforeAll(async () => {
    canary = await startCanary();
    ({ url } = canary);
  });

  afterAll(() => canary.stop());

  const W = 'http://schemas.openxmlformats.org';
  const calling = (): Uint8Array =>
    docx([], {
      'word/_rels/document.xml.rels': `<?xml version="1.0"?><Relationships xmlns="${W}/package/2006/relationships">
<Relationship Id="rImg" Type="${W}/officeDocument/2006/relationships/image" Target="${url}/picture.png" TargetMode="External"/>
<Relationship Id="rSub" Type="${W}/officeDocument/2006/relationships/subDocument" Target="${url}/sub.docx" TargetMode="External"/>
<Relationship Id="rSet" Type="${W}/officeDocument/2006/relationships/settings" Target="settings.xml"/></Relationships>`,
      'word/settings.xml': `<?xml version="1.0"?><w:settings xmlns:w="${W}/wordprocessingml/2006/main" xmlns:r="${W}/officeDocument/2006/relationships"><w:attachedTemplate r:id="rT"/></w:settings>`,
      'word/_rels/settings.xml.rels': `<?xml version="1.0"?><Relationships xmlns="${W}/package/2006/relationships"><Relationship Id="rT" Type="${W}/officeDocument/2006/relationships/attachedTemplate" Target="${url}/template.dotm" TargetMode="External"/></Relationships>`,
      'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${W}/wordprocessingml/2006/main" xmlns:r="${W}/officeDocument/2006/relationships" xmlns:wp="${W}/drawingml/2006/wordprocessingDrawing" xmlns:a="${W}/drawingml/2006/main" xmlns:pic="${W}/drawingml/2006/picture"><w:body>
<w:p><w:r><w:t>Before the picture</w:t></w:r></w:p><w:subDoc r:id="rSub"/>
<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>INCLUDEPICTURE "${url}/field.png" \\d</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>
<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="${W}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rImg"/></pic:blipFill><pic:spPr><a:xfrm><a:ext cx="900000" cy="900000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>`,
    });

  it.each([
    ['the strongest isolation of this system', undefined],
    ["LibreOffice's own settings alone", [] as string[]],
  ])('a file with external links cannot reach the network, with %s', async (_, isolation) => {
    canary.visits.length = 0;
    const office = converter(isolation ? { isolation } : {});
    const pdf = await office.convert(await file('calling.docx', calling()), { signal });
    expect(await textOf(pdf)).toContain('Before the picture');
    expect(canary.visits).toEqual([]);
  });
});
