import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
};

/** As strict as the product's own pages, so that a part which injects styles or scripts is seen here. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'";

/**
 * Serves a folder on loopback.
 *
 * @param port 0 for any free one
 */
export async function serveFolder(folder: string, port: number): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = normalize(decodeURIComponent(pathname)).replace(/^[/\\.]+/, '') || 'index.html';
    readFile(join(folder, name)).then(
      (bytes) => {
        response.writeHead(200, {
          'content-type': types[extname(name)] ?? 'application/octet-stream',
          'content-security-policy': POLICY,
          'cache-control': 'no-store',
        });
        response.end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  };
}
