import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { whenClosed } from './when-closed.ts';

type Answer = (res: ServerResponse, client: Socket) => void;

/** Number of times that the work ran for one request, which the server ends by `answer`. */
async function closes(answer: Answer, keepAlive = true): Promise<number> {
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_req: IncomingMessage, res) => asked.resolve(res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an AddressInfo.
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined).resume();
  client.write(`GET / HTTP/1.1\r\nhost: x\r\nconnection: ${keepAlive ? 'keep-alive' : 'close'}\r\n\r\n`);
  const res = await asked.promise;
  let count = 0;
  whenClosed(res, () => (count += 1));
  const closed = once(res, 'close');
  answer(res, client);
  await closed;
  client.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  return count;
}

it.each<[string, Answer]>([
  ['is sent', (res) => res.end('x')],
  ['is destroyed before its head', (res) => res.destroy()],
  ['is destroyed in its body', (res) => (res.write('x'), res.destroy())],
  ['is destroyed after its end', (res) => res.end('x', () => res.destroy())],
  ['loses its socket', (res) => res.socket?.destroy()],
  ['loses its client', (_res, client) => client.destroy()],
])('runs once when a response %s', async (_ending, answer) => {
  expect(await closes(answer)).toBe(1);
  expect(await closes(answer, false)).toBe(1);
});
