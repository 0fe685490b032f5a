/**
 * As little proxy as undici allows: no token, no limits, no deadlines, no labels. What the gateway costs
 * beyond it is its work; design §4 names what this one reached against nginx.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const pool = new Pool(process.env['UPSTREAM'] ?? '', { connections: 128 });
const server = createServer((req, res) => {
  const { connection: _connection, host: _host, ...headers } = req.headers;
  const path = (req.url ?? '').slice('/api'.length);
  pool.dispatch(
    { path, method: 'GET', headers },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, { connection: _hop, ...rest }) => {
        res.writeHead(status, rest);
      },
      onResponseData: (_controller, chunk) => {
        res.write(chunk);
      },
      onResponseEnd: () => {
        res.end();
      },
      onResponseError: () => {
        res.destroy();
      },
    },
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
// The benchmark has ended.
process.on('disconnect', () => process.exit());
