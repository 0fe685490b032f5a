/** A server that nothing should call: a request shows that a text or file triggered it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Canary = {
  url: string;
  /** The requested paths, in order. */
  visits: string[];
  stop: () => Promise<void>;
};

/** Starts a canary on a free loopback port. */
export async function startCanary(): Promise<Canary> {
  const visits: string[] = [];
  const server = createServer((req, res) => {
    visits.push(req.url ?? '');
    res.end('canary');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
