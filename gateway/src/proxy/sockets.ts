/** WebSockets of the chat, relayed between the browser and messaging with `ws` on both sides. */
import { once } from 'node:events';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { forbidden } from '@karaar/base/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import type { GatewayConfig } from '../config.ts';
import { upgrades } from '../http/framing.ts';
import { noSocketNow, unavailableNow } from '../http/refusals.ts';
import { requestHeaders } from '../http/request-headers.ts';
import type { Upstream } from './upstream.ts';

/**
 * Messages of the service are at most 1 MiB; it accepts 8 KB from browsers
 * (libs/contracts/messaging/live.ts).
 */
const MESSAGES = { perMessageDeflate: false, maxPayload: 1024 * 1024 };
const HANDSHAKE_MS = 5_000;
const BUFFERED_BYTES = 64 * 1024;
const GOODBYE_MS = 500;
/** Close codes of IANA's registry: the service restarts; no code was sent; the connection broke. */
const SERVICE_RESTART = 1012;
const NO_STATUS = 1005;
const ABNORMAL = 1006;

/** Each client of the server is the browser's end of a relayed pair. */
export class Sockets {
  readonly #server = new WebSocketServer({ ...MESSAGES, noServer: true });
  readonly #config: GatewayConfig;
  #leaving = false;

  constructor(config: GatewayConfig) {
    this.#config = config;
  }

  get size(): number {
    return this.#server.clients.size;
  }

  /** Routes upgrades through the app like requests, so that the same hooks and limits apply. */
  register(app: FastifyInstance): void {
    app.server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
      upgrades.set(req, { socket, head });
      socket.on('error', () => socket.destroy());
      const res = new ServerResponse(req);
      // The connection closes after an answer that is not an upgrade.
      res.shouldKeepAlive = false;
      res.assignSocket(socket);
      res.once('finish', () => socket.end());
      app.routing(req, res);
    });
  }

  /**
   * Relays an upgrade.
   * @throws AppError for a page of another site, if the limit is reached or the service is unavailable
   */
  async open(req: FastifyRequest, reply: FastifyReply, upstream: Upstream): Promise<void> {
    if (isForeign(req, this.#config))
      throw forbidden('foreign_origin', 'A page of another site cannot open this connection.');
    if (this.size >= this.#config.WEBSOCKETS_MAX)
      throw noSocketNow('Too many pages are open right now. Please try again in a moment.');
    if (this.#leaving) throw noSocketNow('This address is closing. Please connect again.');
    const service = await reach(req, upstream, requestHeaders(req, this.#config));
    reply.hijack();
    const upgrade = upgrades.get(req.raw);
    if (upgrade === undefined || upgrade.socket.destroyed) {
      service.terminate();
      return;
    }
    reply.raw.detachSocket(upgrade.socket);
    this.#server.handleUpgrade(req.raw, upgrade.socket, upgrade.head, (browser) => {
      relay(browser, service);
      relay(service, browser);
      service.resume();
    });
    // `ws` has already answered an invalid handshake.
    if (upgrade.socket.destroyed || upgrade.socket.writableEnded) service.terminate();
  }

  /** Makes every page open a new socket at another gateway within this time, and refuses new sockets. */
  startLeaving(withinMs: number): void {
    this.#leaving = true;
    // `server.leaving` (libs/contracts/messaging/live.ts) in socket.io's format: a message (4) that is an
    // event (2).
    const packet = `42${JSON.stringify(['server.leaving', { within_ms: withinMs }])}`;
    if (withinMs > 0) for (const browser of this.#server.clients) browser.send(packet);
  }

  /** Closes all sockets with a code that browsers treat as a restart. */
  end(): void {
    this.#leaving = true;
    for (const browser of this.#server.clients) {
      browser.close(SERVICE_RESTART);
      setTimeout(() => browser.terminate(), GOODBYE_MS).unref();
    }
  }
}

/** Returns true for a page that neither this host nor the public address has served. */
function isForeign({ headers: { origin }, host }: FastifyRequest, { PUBLIC_URL }: GatewayConfig): boolean {
  if (origin === undefined) return false;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  return page?.host !== host && page?.origin !== new URL(PUBLIC_URL).origin;
}

/**
 * Opens the connection to the service.
 * @returns a paused socket, because its first messages must wait for the browser's handshake
 */
async function reach(
  { raw, id, log }: FastifyRequest,
  upstream: Upstream,
  pairs: string[],
): Promise<WebSocket> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] ?? '';
    // The connection to the service has its own handshake.
    if (!name.startsWith('sec-websocket-')) headers[name] = pairs[at + 1] ?? '';
  }
  const url = new URL(raw.url ?? '', upstream.url);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const service = new WebSocket(url, { ...MESSAGES, headers, handshakeTimeout: HANDSHAKE_MS });
  service.once('open', () => service.pause());
  raw.socket.once('close', () => {
    if (service.readyState === WebSocket.CONNECTING) service.terminate();
  });
  try {
    await once(service, 'open');
    return service;
  } catch (err) {
    log.warn({ service: upstream.name, requestId: id, err }, 'A service did not answer');
    throw unavailableNow(upstream.title);
  }
}

function relay(from: WebSocket, to: WebSocket): void {
  from.on('message', (data: RawData, binary: boolean) => {
    if (to.readyState !== WebSocket.OPEN) return;
    to.send(data as Buffer, { binary }, () => {
      if (from.isPaused && to.bufferedAmount < BUFFERED_BYTES) from.resume();
    });
    if (to.bufferedAmount >= BUFFERED_BYTES) from.pause();
  });
  from.on('error', () => to.terminate());
  from.on('close', (code, reason) => {
    if (to.readyState !== WebSocket.OPEN) return;
    if (code === ABNORMAL) to.terminate();
    else if (code === NO_STATUS) to.close();
    else to.close(code, reason);
  });
}
