/** A server that nobody has a reason to call: who does was led there by a text or a file. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Canary = {
  url: string;
  /** The paths that were asked for, in order. */
  visits: string[];
  stop: () => Promise<void>;
};

/** Starts one on a free port of loopback. */
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
