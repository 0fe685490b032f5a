/** Something in front of the product that a test can take away, or that brings another version of a file. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Front = {
  url: string;
  /** Ends every connection and answers no more. */
  goAway: () => Promise<void>;
  comeBack: () => Promise<void>;
  /** From now on this file ends with this text. */
  append: (path: string, text: string) => void;
  /** Paths asked for since the start. */
  asked: string[];
  close: () => Promise<void>;
};

/** Starts a plain proxy to a product on a port of its own. */
export async function startFront(target: string): Promise<Front> {
  const asked: string[] = [];
  const appended = new Map<string, string>();
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    const suffix = appended.get(req.url ?? '');
    // What is changed on the way must come unpacked and whole.
    const headers = {
      ...req.headers,
      ...(suffix ? { 'accept-encoding': 'identity', 'if-none-match': '' } : {}),
    };
    const onward = request(new URL(req.url ?? '/', target), { method: req.method, headers }, (answer) => {
      const { 'content-length': length, ...rest } = answer.headers;
      const changed = suffix ? { ...rest } : { ...rest, ...(length ? { 'content-length': length } : {}) };
      res.writeHead(answer.statusCode ?? 502, changed);
      answer.on('data', (chunk: Buffer) => res.write(chunk));
      answer.on('end', () => res.end(suffix));
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  const port = await listen(server, 0);
  return {
    url: `http://localhost:${port}`,
    goAway: () => stop(server),
    comeBack: async () => void (await listen(server, port)),
    append: (path, text) => void appended.set(path, text),
    asked,
    close: () => stop(server),
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return (server.address() as AddressInfo).port;
}

function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}
