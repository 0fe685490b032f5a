/** The service behind all proxies: it answers every request with the same 1 KB of JSON, at the least cost. */
import { createServer, type AddressInfo } from 'node:net';

const body = JSON.stringify({ data: 'x'.repeat(1024 - '{"data":""}'.length) });
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n` +
    `connection: keep-alive\r\n\r\n${body}`,
);
const END_OF_HEAD = '\r\n\r\n';

const server = createServer({ noDelay: true }, (socket) => {
  let pending = '';
  socket.on('data', (chunk) => {
    const heads = `${pending}${chunk.toString('latin1')}`.split(END_OF_HEAD);
    pending = heads.pop() ?? '';
    for (const _head of heads) socket.write(answer);
  });
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
