import { once } from 'node:events';
import { mkdirSync, watch } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

const eventsPath = '/__dev/reload';
const scriptPath = '/__dev/reload.js';
const tag = `<script src="${scriptPath}" defer></script>`;
const script = `new EventSource('${eventsPath}').addEventListener('reload', () => location.reload());\n`;
/** webpack writes many files in one build. */
const settleMs = 300;

/** Starts the proxy of `npm run dev`, which adds a script to every page that reloads it after a build. */
export async function startReloadProxy(options: {
  port: number;
  host?: string;
  target: string;
  /** Folders whose changes reload the pages. */
  watched: readonly string[];
}): Promise<Server> {
  const target = new URL(options.target);
  const pages = new Set<ServerResponse>();
  const server = createServer((req, res) => {
    if (req.url === eventsPath) listenForReload(req, res, pages);
    else if (req.url === scriptPath) res.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else passOn(req, res, target);
  });
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) =>
    passUpgrade(req, socket, head, target),
  );
  watchFolders(options.watched, () => {
    for (const page of pages) page.write('event: reload\ndata:\n\n');
  });
  server.listen(options.port, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function listenForReload(req: IncomingMessage, res: ServerResponse, pages: Set<ServerResponse>): void {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  res.write(': connected\n\n');
  pages.add(res);
  req.on('close', () => pages.delete(res));
}

function passOn(req: IncomingMessage, res: ServerResponse, target: URL): void {
  const isPage = req.headers.accept?.includes('text/html') === true;
  // The script can be added only to an uncompressed page.
  const headers = isPage ? { ...req.headers, 'accept-encoding': 'identity' } : req.headers;
  const upstream = request(
    { host: target.hostname, port: target.port, method: req.method, path: req.url, headers },
    (answer) => {
      const html = answer.headers['content-type']?.startsWith('text/html') === true;
      if (!isPage || !html) {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { 'content-length': _length, etag: _etag, ...rest } = answer.headers;
        res.writeHead(answer.statusCode ?? 502, rest);
        res.end(Buffer.concat(chunks).toString('utf8').replace('</head>', `${tag}</head>`));
      });
    },
  );
  upstream.on('error', (error) => {
    if (res.headersSent) res.destroy();
    else
      res
        .writeHead(503, { 'content-type': 'text/plain' })
        .end(`The gateway is starting again (${error.message}).\n`);
  });
  req.pipe(upstream);
}

function passUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer, target: URL): void {
  const upstream = connect(Number(target.port), target.hostname, () => {
    const lines = req.rawHeaders.flatMap((value, index, all) =>
      index % 2 === 0 ? [`${value}: ${all[index + 1] ?? ''}`] : [],
    );
    upstream.write(`${req.method} ${req.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('error', () => upstream.destroy());
}

function watchFolders(folders: readonly string[], changed: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(changed, settleMs);
    });
  }
}
