import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kept, startClosing } from '@karaar/testing/servers/closing';
import { createPhotoCheck } from './photo-check.ts';
import type { PhotoCheck } from '../../context.ts';

/** Stands in for vision: these tests are about its status codes, not its verdicts. */
let server: Server;
let folder: string;
let check: PhotoCheck;
let asked: IncomingMessage | undefined;
let answer: [status: number, body: string] = [200, '{"ok":true,"boxes":[]}'];
const SECRETS = ['current'.repeat(6), 'next'.repeat(10)];
const photo = () => ({ path: join(folder, 'photo.jpg'), mime: 'image/jpeg' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-photo-check-'));
  await writeFile(photo().path, 'a photo');
  server = createServer((req, res) => {
    asked = req;
    req
      .resume()
      .on('end', () => res.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  check = createPhotoCheck(`http://127.0.0.1:${port}`, SECRETS);
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

it('sends its service credential', async () => {
  expect(await check(photo(), 'faces')).toEqual({ ok: true, boxes: [] });
  expect(asked?.url).toBe('/internal/check?detect_type=faces');
  expect(asked?.headers.authorization).toBe(`Bearer ${'current'.repeat(6)}`);
});

it.each([413, 415, 422])('treats status %i as a verdict on the photo', async (status) => {
  answer = [status, '{"detail":"","code":"x"}'];
  expect(await check(photo(), 'faces')).toEqual({ ok: false, reason: 'not_an_image', boxes: [] });
});

it.each([401, 403, 404, 429, 500, 503])(
  'treats status %i as a failure of vision, not as a verdict',
  async (status) => {
    answer = [status, '{"detail":"","code":"x"}'];
    await expect(check(photo(), 'faces')).rejects.toMatchObject({ status: 503, code: 'vision_unavailable' });
  },
);

it('checks a photo although vision closes the connection of an earlier check', async () => {
  const closing = await startClosing('{"ok":true,"boxes":[]}');
  const ask = createPhotoCheck(closing.url, SECRETS);
  try {
    expect(await ask(photo(), 'faces')).toMatchObject({ ok: true });
    await kept();
    expect(await ask(photo(), 'faces')).toMatchObject({ ok: true });
  } finally {
    closing.close();
  }
});
