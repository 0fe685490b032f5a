import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../until.ts';
import { startProxy, type TestProxy } from './proxy.ts';

/** An echo server. */
let server: Server;
let served: string;
let proxy: TestProxy;
beforeEach(async () => {
  served = '';
  server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      served += chunk.toString();
      socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await startProxy((server.address() as AddressInfo).port);
});
afterEach(async () => {
  await proxy.close();
  await new Promise((resolve) => server.close(resolve));
});

type Client = { socket: Socket; heard: () => string; ended: Promise<string> };
async function client(): Promise<Client> {
  const socket = connect(proxy.port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString()));
  const ended = new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, heard: () => heard, ended };
}
async function answered({ socket, heard }: Client, words: string): Promise<void> {
  const before = heard().length;
  socket.write(words);
  while (heard().length < before + words.length) await sleep(5);
}

it('loses the response to one request, which the server has received', async () => {
  const [first, other] = [await client(), await client()];
  const { happened } = proxy.fail({ kind: 'answer', to: { saying: 'commit', after: 'insert' } });
  await answered(first, 'commit insert ');
  first.socket.write('commit');
  expect(await first.ended).toBe('end');
  await happened;
  expect([first.heard(), served]).toEqual(['commit insert ', 'commit insert commit']);
  await answered(other, 'goes on');
});

it('ends a connection in the middle of a response', async () => {
  const { happened } = proxy.fail({ kind: 'bytes', of: 'answers', bytes: 3 });
  const { socket, heard, ended } = await client();
  socket.write('hello');
  await ended;
  await happened;
  expect('hel').toContain(heard());
  await answered(await client(), 'whole');
});

it('lets nothing through any more, and hides that a side has ended', async () => {
  const { happened } = proxy.fail({ kind: 'silence' });
  const { socket, heard, ended } = await client();
  socket.write('hello');
  await happened;
  expect(await Promise.race([ended, sleep(100, 'open')])).toBe('open');
  expect([heard(), served, proxy.silent()]).toEqual(['', '', 1]);
  socket.destroy();
  await until('the client has given up', () => proxy.silent() === 0);
});

it('delays data in transit', async () => {
  const slow = await client();
  await answered(slow, 'at once');
  const began = performance.now();
  proxy.delay(200);
  await answered(slow, 'later');
  expect(performance.now() - began).toBeGreaterThan(190);
});

it('cancels a fault that has met no connection', async () => {
  proxy.fail({ kind: 'silence' }).cancel();
  await answered(await client(), 'whole');
});
