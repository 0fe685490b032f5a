import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { scratch } from '@karaar/testing/scratch';
import { startReloadProxy } from './reload-proxy.ts';

const { dir, remove } = scratch();
let gateway: Server;
let proxy: Server;
let url: string;
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  gateway = createServer((req, res) => {
    if (req.url === '/page') {
      const packed = req.headers['accept-encoding']?.includes('gzip') === true;
      const page = Buffer.from('<html><head><title>करार</title></head></html>');
      res.setHeader('content-type', 'text/html; charset=utf-8');
      if (packed) res.setHeader('content-encoding', 'gzip');
      res.end(packed ? gzipSync(page) : page);
      return;
    }
    req.pipe(res.writeHead(201, { 'x-host': req.headers.host, 'content-type': 'application/json' }));
  });
  gateway.on('upgrade', (req, socket, head: Buffer) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\nconnection: upgrade\r\n\r\n');
    socket.write(`hello ${req.headers['x-name'] as string} `);
    socket.write(head);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  proxy = await startReloadProxy({ port: 0, target: `http://127.0.0.1:${portOf(gateway)}`, watched: [dir] });
  url = `http://127.0.0.1:${portOf(proxy)}`;
});
afterAll(() => {
  for (const server of [proxy, gateway]) {
    server.closeAllConnections();
    server.close();
  }
  remove();
});

describe('startReloadProxy', () => {
  it('adds its script to a page and changes nothing else', async () => {
    const page = await (await fetch(`${url}/page`, { headers: { accept: 'text/html' } })).text();
    expect(page).toBe(
      '<html><head><title>करार</title><script src="/__dev/reload.js" defer></script></head></html>',
    );
    const answer = await fetch(`${url}/api/x`, { method: 'POST', body: '{"a":1}' });
    expect([answer.status, answer.headers.get('x-host'), await answer.text()]).toEqual([
      201,
      new URL(url).host,
      '{"a":1}',
    ]);
  });

  it('notifies open pages after a build of the front end', async () => {
    const stopped = new AbortController();
    const events = await fetch(`${url}/__dev/reload`, { signal: stopped.signal });
    const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('connected');
    writeFileSync(join(dir, 'main.js'), 'built');
    expect((await reader.read()).value).toContain('event: reload');
    stopped.abort();
  });

  it('proxies upgraded connections', async () => {
    const socket = connect(portOf(proxy), '127.0.0.1');
    socket.write(
      'GET /socket HTTP/1.1\r\nhost: x\r\nx-name: Asha\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\nand back',
    );
    let heard = '';
    for await (const chunk of socket) {
      heard += String(chunk);
      if (heard.endsWith('hello Asha and back')) break;
    }
    expect(heard).toMatch(/^HTTP\/1.1 101/);
    socket.destroy();
  });
});
