/** A log with one key that serves a different history at each address, over HTTP. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { leafHash } from '@karaar/proof/log/merkle';
import {
  appendLeaves,
  encodeBundle,
  parseTilePath,
  rootOf,
  widthAt,
  TILE_WIDTH,
} from '@karaar/proof/log/tiles';

/** The entries, tree and checkpoint that one address serves. */
export class History {
  entries: Uint8Array[] = [];
  checkpoint = '';
  readonly tiles = new Map<string, readonly Uint8Array[]>();
  /** Size of the tree; `entries` may have fewer. */
  size = 0;

  async append(texts: readonly string[]): Promise<void> {
    const added = texts.map((text) => new Uint8Array(Buffer.from(text)));
    for (const tile of await appendLeaves(this.read, this.size, added.map(leafHash)))
      this.tiles.set(`${tile.level}/${tile.index}`, tile.hashes);
    this.entries.push(...added);
    this.size += added.length;
  }

  read = async ({ level, index }: { level: number; index: number }): Promise<readonly Uint8Array[]> =>
    this.tiles.get(`${level}/${index}`) ?? [];

  root = (size = this.size): Promise<Uint8Array> => rootOf(this.read, size);

  answer(path: string): Uint8Array | undefined {
    if (path === '/checkpoint') return this.checkpoint === '' ? undefined : Buffer.from(this.checkpoint);
    const id = parseTilePath(path.replace('/tile/', ''));
    if (!id || id.width > widthAt(this.size, id.level === 'entries' ? 0 : id.level, id.index))
      return undefined;
    if (id.level === 'entries')
      return encodeBundle(this.entries.slice(id.index * TILE_WIDTH, id.index * TILE_WIDTH + id.width));
    return Buffer.concat((this.tiles.get(`${id.level}/${id.index}`) ?? []).slice(0, id.width));
  }
}

export type LogServer = { url: string; history: History; close: () => void };

export async function startLogServer(history: History): Promise<LogServer> {
  const logServer: LogServer = { history, url: '', close: () => undefined };
  const server: Server = createServer((req, res) => {
    const bytes = logServer.history.answer(req.url ?? '');
    if (bytes) res.end(bytes);
    else res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  logServer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  logServer.close = () => void server.close();
  return logServer;
}
