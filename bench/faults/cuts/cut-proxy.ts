/** A TCP proxy that cuts connections: after some bytes, in place of an answer, in place of the answer to a COMMIT, or by silence. */
import { randomInt } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { commitWatch, type CommitWatch } from './postgres-messages.ts';

/**
 * How a connection ends: `bytes`: in the middle of what is said or answered; `answer`: the server has got what was said and answers,
 * and the client gets nothing; `commit`: the same with PostgreSQL's answer to a COMMIT; `silence`: nothing arrives any more in either
 * direction, nor that one side has ended the connection: the client has to give it up by itself.
 */
export type CutKind = 'bytes' | 'answer' | 'commit' | 'silence';

const MOST_BYTES = 800;
/** After a client has given up a silent connection: when its server learns of it, as by TCP's keep-alive. */
const SERVER_LEARNS_MS = [500, 5_000] as const;

export interface CutProxy {
  readonly port: number;
  /**
   * Cuts the next connection on which the right thing happens.
   *
   * @returns false when that did not happen within `ms`; then nothing is cut
   */
  cut(kind: CutKind, ms: number): Promise<boolean>;
  /** Silent connections that their clients have not given up yet. */
  silent(): number;
  /** Holds back what is under way on every connection for so long. */
  delay(ms: number): void;
  close(): Promise<void>;
}

type Direction = 'said' | 'answered';
type Order = { kind: CutKind; line?: Line; done: (happened: boolean) => void };
/** How one connection ends. */
type Fate = { order: Order; direction: Direction; bytesLeft: number; begun: boolean };
type Line = { client: Socket; upstream: Socket; fate: Fate | undefined; watch: CommitWatch | undefined };

/** @param target a port of loopback; @param speaks `postgres` where COMMITs are to be seen */
export async function startCutProxy(target: number, speaks: 'postgres' | 'other'): Promise<CutProxy> {
  const lines = new Set<Line>();
  const orders: Order[] = [];

  const end = (line: Line): void => {
    const { client, upstream, fate } = line;
    line.fate = undefined;
    // As a network does it: now with a reset, now with an orderly end.
    if (Math.random() < 0.5) client.resetAndDestroy();
    else client.destroy();
    upstream.destroy();
    fate?.order.done(true);
  };
  const doom = (line: Line, order: Order, direction: Direction): void => {
    orders.splice(orders.indexOf(order), 1);
    order.line = line;
    const way = order.kind === 'bytes' && Math.random() < 0.5 ? 'answered' : direction;
    line.fate = { order, direction: way, bytesLeft: randomInt(0, MOST_BYTES), begun: false };
  };
  const isSilent = ({ fate }: Line): boolean => fate?.order.kind === 'silence' && fate.begun;
  /** The order that begins with data in this direction, if the connection has none yet. COMMITs are waited for. */
  const orderFor = (direction: Direction): Order | undefined =>
    orders.find(
      ({ kind }) => kind === 'bytes' || ((kind === 'answer' || kind === 'silence') && direction === 'said'),
    );

  /** The part of a chunk that goes on; nothing where the connection is cut or silent. */
  const passed = (line: Line, direction: Direction, chunk: Buffer): Buffer | undefined => {
    if (line.fate === undefined) {
      const order = orderFor(direction);
      if (order) doom(line, order, direction);
    }
    const { fate } = line;
    if (fate === undefined) return chunk;
    const { kind } = fate.order;
    if (kind === 'silence') {
      fate.begun = true;
      fate.order.done(true);
      return undefined;
    }
    if (kind === 'answer') {
      if (direction === 'said') return chunk;
      end(line);
      return undefined;
    }
    if (direction !== fate.direction) return chunk;
    if (fate.begun) return undefined;
    if (chunk.length < fate.bytesLeft) {
      fate.bytesLeft -= chunk.length;
      return chunk;
    }
    const first = chunk.subarray(0, fate.bytesLeft);
    fate.begun = true;
    (direction === 'said' ? line.upstream : line.client).write(first, () => end(line));
    return undefined;
  };

  const relay = (line: Line, direction: Direction): void => {
    const [from, to] = direction === 'said' ? [line.client, line.upstream] : [line.upstream, line.client];
    from.on('data', (chunk: Buffer) => {
      line.watch?.[direction](chunk);
      if (to.destroyed) return;
      const rest = passed(line, direction, chunk);
      if (rest === undefined || rest.length === 0 || to.write(rest)) return;
      from.pause();
      to.once('drain', () => from.resume());
    });
    from.on('end', () => isSilent(line) || to.end());
    from.on('error', () => from.destroy());
    from.on('close', () => {
      if (isSilent(line)) {
        if (line.client.destroyed && line.upstream.destroyed) lines.delete(line);
        else if (from === line.client)
          setTimeout(() => line.upstream.destroy(), randomInt(...SERVER_LEARNS_MS)).unref();
        return;
      }
      lines.delete(line);
      line.client.destroy();
      line.upstream.destroy();
      // It ended by itself.
      line.fate?.order.done(line.fate.begun);
      line.fate = undefined;
    });
  };

  const server = createServer((client) => {
    const line: Line = {
      client,
      upstream: connect({ port: target, host: '127.0.0.1' }),
      fate: undefined,
      watch: undefined,
    };
    lines.add(line);
    if (speaks === 'postgres')
      line.watch = commitWatch(() => {
        const order = orders.find(({ kind }) => kind === 'commit');
        if (order === undefined || line.fate !== undefined) return;
        doom(line, order, 'answered');
        end(line);
      });
    relay(line, 'said');
    relay(line, 'answered');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut: (kind, ms) =>
      new Promise((resolve) => {
        const order: Order = {
          kind,
          done: (happened) => {
            clearTimeout(timer);
            resolve(happened);
          },
        };
        const timer = setTimeout(() => {
          // A connection that was chosen and has gone quiet is cut now.
          if (order.line) return end(order.line);
          orders.splice(orders.indexOf(order), 1);
          resolve(false);
        }, ms);
        orders.push(order);
      }),
    silent: () => [...lines].filter((line) => isSilent(line) && !line.client.destroyed).length,
    delay: (ms) => {
      for (const { client, upstream } of lines) {
        client.pause();
        upstream.pause();
        setTimeout(() => {
          client.resume();
          upstream.resume();
        }, ms);
      }
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const line of lines) {
        line.client.destroy();
        line.upstream.destroy();
      }
      await closed;
    },
  };
}

/** @returns the address of a new proxy before this address; `keep` gets the proxy */
export async function via(
  address: string,
  isPostgres: boolean,
  keep: (proxy: CutProxy) => void,
): Promise<string> {
  const url = new URL(address);
  const proxy = await startCutProxy(Number(url.port), isPostgres ? 'postgres' : 'other');
  keep(proxy);
  [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  // Without a path the address had no slash at its end, either.
  return address.endsWith('/') ? url.toString() : url.toString().replace(/\/$/, '');
}
