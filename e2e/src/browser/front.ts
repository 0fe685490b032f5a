/** A proxy in front of the product that a test can stop, or that changes a file. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Front = Awaited<ReturnType<typeof startFront>>;

export async function startFront(target: string) {
  const appended = new Map<string, string>();
  const server = createServer((req, res) => {
    const suffix = appended.get(req.url ?? '');
    // A file that the proxy changes has to arrive complete and uncompressed.
    const plain = suffix ? { 'accept-encoding': 'identity', 'if-none-match': '' } : {};
    const options = { method: req.method, headers: { ...req.headers, ...plain } };
    const onward = request(new URL(req.url ?? '/', target), options, (answer) => {
      if (suffix) delete answer.headers['content-length'];
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => res.write(chunk));
      answer.on('end', () => res.end(suffix));
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  const port = await listen(server, 0);
  const stop = (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  };
  return {
    url: `http://localhost:${port}`,
    /** Ends all connections and accepts no new ones. */
    goAway: stop,
    comeBack: async () => void (await listen(server, port)),
    /** Adds this text to the end of a file. */
    append: (path: string, text: string) => void appended.set(path, text),
    close: stop,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return (server.address() as AddressInfo).port;
}
