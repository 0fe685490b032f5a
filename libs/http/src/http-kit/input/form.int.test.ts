import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defineRoute } from '@karaar/contracts/kit';
import { Type } from 'typebox';
import { compoundFile, docx, JPEG, PDF, PNG, WEBP } from '../testing/files.ts';
import { json, startApp, wire, type TestApp } from '../testing/http.ts';
import { mountRoute, type SpooledFile } from '../index.ts';

const KiB = 1024;
const form = defineRoute({
  method: 'POST',
  path: '/forms',
  access: 'public',
  summary: 'A form with files',
  multipart: {
    fields: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 50 }),
      pages: Type.Optional(Type.Integer({ minimum: 1 })),
      tags: Type.Optional(Type.Array(Type.String())),
      date: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
      then: Type.Optional(Type.String()),
    }),
    files: {
      photo: { required: true, maxBytes: 100 * KiB, accept: ['image'] },
      docs: { maxCount: 3, maxBytes: 300 * KiB, accept: ['pdf', 'doc', 'docx', 'image'] },
    },
  },
  response: { 200: Type.Object({ seen: Type.Integer() }) },
  timeoutMs: 2_000,
});
const reply = defineRoute({
  method: 'POST',
  path: '/reply',
  access: 'public',
  summary: 'A form that needs no file',
  multipart: {
    fields: Type.Object({ response: Type.Union([Type.Literal('accept'), Type.Literal('reject')]) }),
    files: { photo: { maxBytes: KiB, accept: ['image'] } },
  },
  response: { 200: Type.Object({ response: Type.String(), photos: Type.Integer() }) },
});

/** Total bytes of all files below a directory; files that vanish meanwhile count as 0. */
async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch((): string[] => []);
  const sizes = names.map((name) =>
    stat(join(directory, name)).then(
      (entry) => (entry.isFile() ? entry.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

type Fields = { name: string; pages?: number; tags?: string[]; date?: string };

describe('multipart forms', () => {
  let test: TestApp;
  let spool: string;
  const seen: { fields: Fields; photo: SpooledFile[]; docs: SpooledFile[]; contents: string[] }[] = [];
  function beginUpload(): ClientRequest {
    const upload = request(`${test.url}/forms`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    // The server or the test aborts the upload.
    upload.on('error', () => undefined);
    return upload;
  }

  beforeAll(async () => {
    spool = await mkdtemp(join(tmpdir(), 'karaar-test-'));
    process.env.SPOOL_DIR = spool;
    test = await startApp((app) => {
      mountRoute(app, form, async (ctx) => {
        const { fields, files } = ctx.form;
        const all = [...files.photo, ...files.docs];
        const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex');
        const contents = await Promise.all(all.map(async (file) => hash(await readFile(file.path))));
        seen.push({ fields, photo: files.photo, docs: files.docs, contents });
        if (fields.then === 'fail') throw new Error('the handler failed');
        if (fields.then === 'hang') await new Promise(() => undefined);
        return { seen: all.length };
      });
      mountRoute(app, reply, async (ctx) => ({
        response: ctx.form.fields.response,
        photos: ctx.form.files.photo.length,
      }));
    });
  });
  afterAll(async () => {
    await test.app.close();
    delete process.env.SPOOL_DIR;
    await rm(spool, { recursive: true });
  });
  beforeEach(() => {
    seen.length = 0;
  });
  afterEach(async () => {
    // Every request removes its files, however it ends. (Removal follows the response, hence the loop.)
    for (let i = 0; i < 100 && (await readdir(spool)).length > 0; i++)
      await new Promise((done) => setTimeout(done, 20));
    expect(await readdir(spool)).toEqual([]);
  });

  type Entry = [name: string, value: string | Buffer, filename?: string];
  function body(...entries: Entry[]): FormData {
    const data = new FormData();
    for (const [name, value, filename] of entries) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, new Blob([new Uint8Array(value)]), filename ?? 'file');
    }
    return data;
  }
  const send = (data: FormData, path = '/forms') =>
    wire(fetch(`${test.url}${path}`, { method: 'POST', body: data }));
  const padded = (head: Buffer, size: number) => Buffer.concat([head, Buffer.alloc(size - head.length, 7)]);

  it('reach the handler as converted fields and files on disk with size, hash and type', async () => {
    const photo = padded(PNG, 50 * KiB);
    const large = padded(PDF, 200 * KiB);
    const answer = await send(
      body(
        ['name', 'करार'],
        ['pages', '12'],
        ['tags', 'one'],
        ['date', ''],
        ['photo', photo, 'me.gif'],
        ['docs', large, 'a.pdf'],
        ['docs', JPEG, 'b.jpg'],
      ),
    );
    expect(answer).toEqual({ status: 200, body: { seen: 3 } });
    const [request] = seen;
    expect(request?.fields).toEqual({ name: 'करार', pages: 12, tags: ['one'] });
    const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(request?.photo).toEqual([
      expect.objectContaining({
        field: 'photo',
        filename: 'me.gif',
        size: 50 * KiB,
        sha256: sha256(photo),
        mime: 'image/png',
        kind: 'image',
      }),
    ]);
    expect(request?.docs.map((file) => [file.filename, file.kind, file.size])).toEqual([
      ['a.pdf', 'pdf', 200 * KiB],
      ['b.jpg', 'image', JPEG.length],
    ]);
    expect(request?.contents).toEqual([photo, large, JPEG].map(sha256));
  });

  it.each([
    ['png', PNG, 'image', 'image/png'],
    ['jpeg', JPEG, 'image', 'image/jpeg'],
    ['webp', WEBP, 'image', 'image/webp'],
    ['pdf', PDF, 'pdf', 'application/pdf'],
    ['docx', docx(), 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['doc', compoundFile('WordDocument'), 'doc', 'application/msword'],
  ])('detect a %s by its content', async (_what, content, kind, mime) => {
    await send(body(['name', 'x'], ['photo', PNG, 'p'], ['docs', content, 'misnamed.exe']));
    expect(seen[0]?.docs).toEqual([expect.objectContaining({ kind, mime })]);
  });

  it.each([
    ['a text named .png', Buffer.from('hello'), 'x.png'],
    ['HTML named .pdf', Buffer.from('<html><script>1</script>'), 'x.pdf'],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00'), 'x.gif'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'x.svg'],
    ['a ZIP named .docx', Buffer.from('PK\x05\x06'.padEnd(22, '\0')), 'x.docx'],
    ['a workbook named .doc', compoundFile('Workbook'), 'x.doc'],
  ])('reject %s', async (_what, content, filename) => {
    const answer = await send(body(['name', 'x'], ['photo', PNG, 'p'], ['docs', content, filename]));
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'validation',
        detail: [{ loc: 'docs', msg: expect.stringMatching(/must be a PDF, .* or an image/) }],
      },
    });
  });

  it('list all faults of fields and files together', async () => {
    const answer = await send(
      body(
        ['pages', '0'],
        ['photo', ''],
        ['extra', PNG, 'e'],
        ['docs', Buffer.alloc(0), 'empty.pdf'],
        ['date', 'soon'],
      ),
    );
    expect(answer.status).toBe(422);
    const { detail } = answer.body as { detail: unknown[] };
    const faults = {
      name: 'is required',
      pages: 'must be at least 1',
      date: 'does not have the expected form',
      photo: 'is required',
      extra: 'is not a file of this form',
      docs: "'empty.pdf' is empty",
    };
    expect(detail).toHaveLength(6);
    expect(detail).toEqual(
      expect.arrayContaining(Object.entries(faults).map(([loc, msg]) => ({ loc, msg }))),
    );
    expect(seen).toEqual([]);
  });

  it('treat a file input without a chosen file as absent', async () => {
    const blank =
      '--b\r\nContent-Disposition: form-data; name="docs"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n';
    const parts = [
      Buffer.from('--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n'),
      Buffer.from('--b\r\nContent-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n'),
      PNG,
      Buffer.from(`\r\n${blank}--b--\r\n`),
    ];
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await wire(
      fetch(`${test.url}/forms`, { method: 'POST', headers, body: new Uint8Array(Buffer.concat(parts)) }),
    );
    expect(answer).toEqual({ status: 200, body: { seen: 1 } });
  });

  it('name the file that is too large, and read the rest so that the client gets the response', async () => {
    const answer = await send(
      body(
        ['name', 'x'],
        ['photo', padded(PNG, 100 * KiB + 1), 'me.png'],
        ['docs', padded(PDF, 250 * KiB), 'a.pdf'],
      ),
    );
    expect(answer).toEqual({
      status: 413,
      body: {
        code: 'file_too_large',
        detail: [
          {
            loc: 'photo',
            msg: "'me.png' is too large. A file must not have more than 100 KB.",
            file: 'me.png',
          },
        ],
      },
    });
    expect(await send(body(['name', 'x'], ['photo', padded(PNG, 100 * KiB), 'me.png']))).toMatchObject({
      status: 200,
    });
  });

  it('limit the number of files of a field', async () => {
    const doc: Entry = ['docs', PDF, 'a.pdf'];
    expect(await send(body(['name', 'x'], ['photo', PNG], doc, doc, doc))).toMatchObject({ status: 200 });
    expect(await send(body(['name', 'x'], ['photo', PNG], doc, doc, doc, doc))).toMatchObject({
      status: 422,
      body: { detail: [{ loc: 'docs', msg: 'must be at most 3 files' }] },
    });
    expect(await send(body(['name', 'x'], ['photo', PNG], ['photo', PNG]))).toMatchObject({
      status: 422,
      body: { detail: [{ loc: 'photo', msg: 'must be at most 1 file' }] },
    });
  });

  it('stop reading an endless body', async () => {
    const upload = beginUpload();
    upload.write('--b\r\nContent-Disposition: form-data; name="docs"; filename="a.pdf"\r\n\r\n');
    const status = new Promise<number | undefined>((resolve) => {
      upload.once('response', (response) => resolve(response.resume().statusCode));
      upload.once('close', () => resolve(undefined));
    });
    let over = false;
    void status.then(() => (over = true));
    let sent = 0;
    let onDisk = 0;
    const chunk = Buffer.alloc(256 * KiB, 1);
    while (!over && sent < 200 * KiB * KiB) {
      sent += chunk.length;
      await Promise.race([status, new Promise((written) => upload.write(chunk, written))]);
      onDisk = Math.max(onDisk, await bytesIn(spool));
    }
    // A client that only writes may see the connection end before it reads the response.
    expect([413, undefined]).toContain(await status);
    upload.destroy();
    expect(sent).toBeLessThan(60 * KiB * KiB);
    // At most the size limit of one file reaches the disk (plus one chunk).
    expect(onDisk).toBeGreaterThan(0);
    expect(onDisk).toBeLessThan(600 * KiB);
    expect(seen).toEqual([]);
  });

  it('limit text fields too', async () => {
    expect(await send(body(['name', 'x'], ['photo', PNG], ['then', 'y'.repeat(257 * KiB)]))).toMatchObject({
      status: 413,
    });
    const many = Array.from({ length: 250 }, (_, i): Entry => [`f${i}`, 'x']);
    expect(await send(body(['name', 'x'], ['photo', PNG], ...many))).toMatchObject({
      status: 413,
      body: { code: 'too_many_parts' },
    });
  });

  it('keep file names away from the file system', async () => {
    await send(
      body(
        ['name', 'x'],
        ['photo', PNG, '../../etc/passwd\u202egnp.png'],
        ['docs', PDF, 'C:\\Users\\me\\a.pdf'],
        ['docs', PDF, `${'अ'.repeat(300)}.pdf`],
      ),
    );
    const [request] = seen;
    expect(request?.docs[1]?.filename).toBe(`${'अ'.repeat(196)}.pdf`);
    expect(request?.photo[0]?.filename).toBe('passwdgnp.png');
    expect(request?.docs[0]?.filename).toBe('a.pdf');
    expect(dirname(dirname(request?.photo[0]?.path ?? ''))).toBe(spool);
  });

  it('treat no field name specially', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const answer = await send(body(['name', 'x'], ['photo', PNG], [name, PNG, 'x']));
      expect([400, 422]).toContain(answer.status);
    }
  });

  it('are removed when the handler fails or exceeds its deadline', async () => {
    expect(await send(body(['name', 'x'], ['photo', PNG], ['then', 'fail']))).toMatchObject({ status: 500 });
    expect(await send(body(['name', 'x'], ['photo', PNG], ['then', 'hang']))).toMatchObject({ status: 503 });
  });

  it('are removed when the client disconnects midway', async () => {
    const upload = beginUpload();
    upload.write('--b\r\nContent-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n');
    upload.write(padded(PNG, 60 * KiB));
    while ((await readdir(spool)).length === 0) await new Promise((done) => setTimeout(done, 5));
    upload.destroy();
    await new Promise((closed) => upload.once('close', closed));
    expect(seen).toEqual([]);
  });

  it('may be sent as JSON or urlencoded if no file is needed', async () => {
    for (const init of [
      json({ response: 'reject' }),
      { method: 'POST', body: new URLSearchParams({ response: 'reject' }) },
    ]) {
      expect(await wire(fetch(`${test.url}/reply`, init))).toEqual({
        status: 200,
        body: { response: 'reject', photos: 0 },
      });
    }
    expect(await send(body(['response', 'accept'], ['photo', PNG, 'p']), '/reply')).toMatchObject({
      body: { photos: 1 },
    });
    expect(await wire(fetch(`${test.url}/forms`, json({ name: 'x' })))).toMatchObject({
      status: 422,
      body: { detail: [{ loc: 'photo', msg: 'is required' }] },
    });
  });

  it('of a killed process are removed at the next start, those of a running one are not', async () => {
    const gone = join(spool, 'karaar-form-999999999-abc');
    const running = join(spool, `karaar-form-${process.ppid}-abc`);
    await Promise.all([mkdir(gone), mkdir(running)]);
    const { app } = await startApp(() => undefined);
    expect(existsSync(gone)).toBe(false);
    expect((await stat(running)).isDirectory()).toBe(true);
    await app.close();
    await rm(running, { recursive: true });
  });
});
