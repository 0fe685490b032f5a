/** A minimal proxy with undici: no token, limits, deadlines or labels. The gateway's additional cost is its own work. */
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
      onResponseStart: (_controller, status, { connection: _hop, ...rest }) =>
        void res.writeHead(status, rest),
      onResponseData: (_controller, chunk) => void res.write(chunk),
      onResponseEnd: () => void res.end(),
      onResponseError: () => void res.destroy(),
    },
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
