/** The service behind all proxies: answers every request with the same 1 KB of JSON, as cheaply as it can. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const body = JSON.stringify({ data: 'x'.repeat(1024 - '{"data":""}'.length) });
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n` +
    `connection: keep-alive\r\n\r\n${body}`,
);
const END_OF_HEAD = '\r\n\r\n';

const server = createServer({ noDelay: true }, (socket) => {
  let pending = '';
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1');
    for (let end = pending.indexOf(END_OF_HEAD); end !== -1; end = pending.indexOf(END_OF_HEAD)) {
      pending = pending.slice(end + END_OF_HEAD.length);
      socket.write(answer);
    }
  });
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
// The benchmark has ended.
process.on('disconnect', () => process.exit());
