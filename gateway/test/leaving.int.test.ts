import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOn, startTestGateway, until } from './harness.ts';

/** The answer to a handshake; `ws` cannot send half a message. */
const accept = (key: string) =>
  'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ' +
  `${createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')}\r\n\r\n`;
const HELLO = Buffer.from('810568656c6c6f', 'hex');
const LEAVING = /^\x81.42\["server\.leaving",\{"within_ms":700\}\]$/;

/** Opens a browser's socket and records the frames after the upgrade, as Latin-1 text. */
async function open(
  url: string,
): Promise<{ socket: Socket; frames: () => string; closed: Promise<unknown> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const closed = once(socket, 'close');
  let bytes = '';
  socket.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1')));
  socket.write(
    'GET /socket.io/?EIO=4 HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await until(() => bytes.includes('\r\n\r\n'), 'the answer to the upgrade');
  return { socket, frames: () => bytes.slice(bytes.indexOf('\r\n\r\n') + 4), closed };
}

it('notifies sockets between two messages, refuses new ones, and closes them at the end', async () => {
  const service = createServer();
  const ends: Socket[] = [];
  service.on('upgrade', (req, socket: Socket) => {
    ends.push(socket);
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.write(accept(String(req.headers['sec-websocket-key'])));
  });
  const url = await listenOn(service);
  const gw = await startTestGateway({
    env: { MESSAGING_URL: url, DRAIN_WAIT_MS: '1000', WEBSOCKETS_MAX: '3' },
  });
  try {
    const idle = await open(gw.url);
    const busy = await open(gw.url);
    // Half a message is not passed on, so nothing can be inserted into it.
    ends[1]?.write(HELLO.subarray(0, 4));
    await sleep(100);
    expect(busy.frames()).toBe('');

    const third = await open(gw.url);
    const tooMany = await open(gw.url);
    expect(tooMany.frames()).toContain('Too many pages are open');
    third.socket.destroy();
    await until(() => ends[2]?.destroyed === true, 'the third one to be gone');

    gw.gateway.startDraining();
    await until(() => LEAVING.test(idle.frames()), 'the idle one to be told');
    await until(() => LEAVING.test(busy.frames()), 'the busy one to be told');
    ends[1]?.write(HELLO.subarray(4));
    await until(() => busy.frames().endsWith('hello'), 'the message to be whole');
    expect(busy.frames().slice(-HELLO.length)).toBe(HELLO.toString('latin1'));
    expect(busy.frames().slice(0, -HELLO.length)).toMatch(LEAVING);

    const late = await open(gw.url);
    expect(late.frames()).toContain('"code":"service_unavailable"');
    ends[0]?.write(HELLO);
    await until(() => idle.frames().endsWith('hello'), 'it to go on meanwhile');

    const closing = gw.gateway.close();
    await Promise.all([idle.closed, busy.closed, closing]);
    expect(idle.frames().endsWith('\x88\x02\x03\xf4')).toBe(true);
  } finally {
    await gw.stop();
    for (const end of ends) end.destroy();
    service.close();
  }
});

it('closes an idle connection to a service, so that a service that ends has none to close', async () => {
  const service = createServer({ keepAliveTimeout: 72_000 }, (_req, res) => res.end('{}'));
  const ended = new Promise((resolve) => service.on('connection', (socket) => socket.on('end', resolve)));
  const gw = await startTestGateway({ env: { CMS_URL: await listenOn(service) } });
  try {
    expect((await fetch(`${gw.url}/api/cms/public/terms`)).status).toBe(200);
    await ended;
  } finally {
    await gw.stop();
    service.closeAllConnections();
    service.close();
  }
});
