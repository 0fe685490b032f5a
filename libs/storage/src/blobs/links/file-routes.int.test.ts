import { randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { contentDisposition, registerFileRoutes, type FileRouteOptions } from './file-routes.ts';
import { SEGMENT_BYTES } from '../backends/segments.ts';
import { createBlobStore, type BlobStore } from '../store.ts';
import { fsPlace, ring, type TestPlace } from '../testing/stores.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
const VIEWER = { viewerId: 'viewer-1', sessionId: 'session-1', ttlS: 300 };
/** Options that allow everything, for tests of other behaviour. */
const anybody: FileRouteOptions = { sessionLives: async () => true, authorize: async () => true };

describe('file routes', () => {
  let place: TestPlace;
  let store: BlobStore;
  let app: FastifyInstance;
  let origin: string;
  let options: Partial<FileRouteOptions>;

  beforeEach(async () => {
    place = await fsPlace();
    store = createBlobStore(place.config(ring('k1')));
    options = {};
    app = fastify();
    registerFileRoutes(app, store, {
      sessionLives: async (...args) => (await options.sessionLives?.(...args)) ?? true,
      authorize: async (...args) => (await options.authorize?.(...args)) ?? true,
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await app.close();
    await place.close();
  });

  /** Requests a link as the gateway forwards it, without `/api`. */
  const load = (link: string, init?: RequestInit) => fetch(origin + link.replace(/^\/api/, ''), init);

  it('serve an uploaded file under its stored path to the holder of a link', async () => {
    const { path } = await store.put('owner', PNG);
    const answer = await load(store.signPath(path, VIEWER));
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
    // A gateway may strip the service's name as well.
    const bare = await fetch(origin + store.signPath(path, VIEWER).replace(/^\/api\/files\/auth/, '/files'));
    expect(Buffer.from(await bare.arrayBuffer())).toEqual(PNG);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    // The browser may keep it, and asks before it shows it again.
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  it("check session and permission at each opening, also of a copy in the browser's cache", async () => {
    const { path } = await store.put('owner', PNG);
    const link = store.signPath(path, VIEWER);
    const etag = String((await load(link)).headers.get('etag'));
    const again = await load(link, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect((await load(link, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    const asked: string[] = [];
    options.sessionLives = async (sessionId) => (asked.push(sessionId), false);
    for (const init of [{}, { method: 'HEAD' }, { headers: { 'if-none-match': etag } }]) {
      const answer = await load(link, init);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(asked).toEqual(Array(3).fill('session-1'));
    options.sessionLives = async () => true;
    options.authorize = async () => false;
    for (const init of [{}, { headers: { 'if-none-match': etag } }])
      expect((await load(link, init)).status).toBe(403);
  });

  it('show only images and PDF inline; all other types are downloads with a type that browsers do not run', async () => {
    const served = async (content: Buffer, mime?: string) => {
      const { path } = await store.put('owner', content, { mime });
      const { headers } = await load(store.signPath(path, VIEWER));
      return `${headers.get('content-type')} ${headers.get('content-disposition')}`;
    };
    expect(await served(PDF)).toBe('application/pdf inline');
    expect(await served(Buffer.from('<script>alert(1)</script>'))).toBe(
      'application/octet-stream attachment',
    );
    expect(await served(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatch(/ attachment$/);
    expect(
      await served(Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')),
    ).toMatch(/ attachment$/);
  });

  it('name downloads as RFC 6266 requires', async () => {
    const { path } = await store.put('owner', PDF);
    const { headers } = await load(store.signPath(path, { ...VIEWER, filename: 'करार "final"\r\n/x.pdf' }));
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="____ _final____x.pdf"; filename*=UTF-8''` +
        '%E0%A4%95%E0%A4%B0%E0%A4%BE%E0%A4%B0%20%22final%22%0D%0A%2Fx.pdf',
    );
    expect(contentDisposition('attachment', `it's (1)*\ud800.pdf`)).toBe(
      `attachment; filename="it's (1)*_.pdf"; filename*=UTF-8''it%27s%20%281%29%2A%EF%BF%BD.pdf`,
    );
  });

  it('reject forged and expired links with 403 and a reason', async () => {
    const { path } = await store.put('owner', PNG);
    const link = store.signPath(path, VIEWER);
    for (const bad of [
      link.split('?')[0]!,
      `${link}x`,
      link.replace('v=', 'v=A'),
      link.replace('e=', 'e=9'),
    ]) {
      const answer = await load(bad);
      expect(answer.status).toBe(403);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.json()).toEqual({ detail: expect.any(String), code: 'link_invalid' });
    }
    const short = store.signPath(path, { ...VIEWER, ttlS: 1 });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const answer = await load(short);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'link_expired' });
  });

  it('call the service’s own rule each time, with the viewer of the link', async () => {
    const { path } = await store.put('owner', PNG);
    const link = store.signPath(path, VIEWER);
    options.authorize = async ({ viewerId }) => viewerId === 'viewer-1';
    expect((await load(link)).status).toBe(200);
    const answer = await load(store.signPath(path, { ...VIEWER, viewerId: 'viewer-2' }));
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'file_forbidden' });
  });

  it('answer 404 for a deleted file and for a file of an erased owner', async () => {
    const deleted = await store.put('owner', PNG);
    const erased = await store.put('erased', PNG);
    await store.delete(deleted.path);
    await store.eraseOwner('erased');
    for (const path of [deleted.path, erased.path, 'no/such/path'])
      for (const headers of [new Headers(), new Headers({ range: 'bytes=0-1' })]) {
        const answer = await load(store.signPath(path, VIEWER), { headers });
        expect(answer.status).toBe(404);
        expect(await answer.json()).toEqual({ detail: expect.any(String), code: 'file_not_found' });
      }
  });

  it('serve single ranges, and HEAD without a body', async () => {
    const content = Buffer.concat([PNG, randomBytes(2 * SEGMENT_BYTES)]);
    const { path } = await store.put('owner', content);
    const link = store.signPath(path, VIEWER);
    const head = await load(link, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(content.length));
    expect(head.headers.get('accept-ranges')).toBe('bytes');
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 10],
      ['bytes=70000-70009', 70_000, 70_010],
      ['bytes=131000-', 131_000, content.length],
      ['bytes=-5', content.length - 5, content.length],
      [`bytes=5-${content.length * 2}`, 5, content.length],
    ] as const) {
      const answer = await load(link, { headers: { range } });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${content.length}`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(start, end))).toBe(true);
    }
    const outside = await load(link, { headers: { range: `bytes=${content.length}-` } });
    expect(outside.status).toBe(416);
    expect(outside.headers.get('content-range')).toBe(`bytes */${content.length}`);
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=x']) {
      const answer = await load(link, { headers: { range } });
      expect(answer.status).toBe(200);
      expect((await answer.arrayBuffer()).byteLength).toBe(content.length);
    }
  });

  it('abort the response when the stored bytes were altered', async () => {
    const { path } = await store.put('owner', randomBytes(3 * SEGMENT_BYTES));
    const name = (await place.names()).find((each) => each.endsWith(path))!;
    const stored = await place.bytes(name);
    stored.writeUInt8(stored.readUInt8(2 * SEGMENT_BYTES) ^ 1, 2 * SEGMENT_BYTES);
    await place.overwrite(name, stored);
    await expect(load(store.signPath(path, VIEWER)).then((a) => a.arrayBuffer())).rejects.toThrow();
  });

  it('sweep leftovers when the app starts, and start also when the sweep fails', async () => {
    const tmp = join(place.dir!, 'auth', 'tmp');
    await mkdir(tmp, { recursive: true });
    const anHourAgo = new Date(Date.now() - 3_700_000);
    for (const name of ['put-old', 'put-young']) await writeFile(join(tmp, name), 'x');
    await utimes(join(tmp, 'put-old'), anHourAgo, anHourAgo);
    const next = fastify();
    registerFileRoutes(next, store, anybody);
    await next.ready();
    expect(await readdir(tmp)).toEqual(['put-young']);
    await next.close();

    const warned: string[] = [];
    const lame = fastify({ logger: { stream: { write: (line) => void warned.push(line) } } });
    const awayStore = { ...store, service: 'auth', sweep: () => Promise.reject(new Error('disk away')) };
    registerFileRoutes(lame, awayStore, anybody);
    await lame.ready();
    expect(warned.join()).toContain('disk away');
    await lame.close();
  });

  it('close the file when the browser disconnects early', async () => {
    const { path } = await store.put('owner', randomBytes(30 * 1024 * 1024));
    const link = origin + store.signPath(path, VIEWER).replace(/^\/api/, '');
    const openFiles = async () => (await readdir('/dev/fd')).length;
    const before = await openFiles();
    for (let i = 0; i < 10; i += 1)
      await new Promise<void>((resolve) => {
        const req = get(link, (res) => {
          res.once('data', () => req.destroy());
          res.once('close', resolve);
          res.on('error', () => undefined);
        });
        req.on('error', () => undefined);
      });
    for (let tries = 0; tries < 50 && (await openFiles()) > before + 2; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await openFiles()).toBeLessThanOrEqual(before + 2);
  });
});
