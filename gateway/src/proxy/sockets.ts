/** Websockets of the chat, relayed between the browser and messaging by `ws` on both sides. */
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@karaar/platform/errors';
import { retryAfterS } from '@karaar/platform/shedding';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import type { GatewayConfig } from '../config.ts';
import { upgrades } from '../http/framing.ts';
import { unavailableNow } from '../http/refusals.ts';
import { requestHeaders } from './request-headers.ts';
import type { Upstream } from './upstream.ts';

/** A message of the service at most; it takes 8 KB from browsers (libs/contracts/messaging/live.ts). */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const HANDSHAKE_MS = 5_000;
/** Bytes on their way to a slow side before the other is held back. */
const BUFFERED_BYTES = 64 * 1024;
/** Milliseconds that a goodbye may take. */
const GOODBYE_MS = 500;
/** Close statuses of IANA's registry: the service restarts; none was given; the connection just broke. */
const SERVICE_RESTART = 1012;
const NO_STATUS = 1005;
const ABNORMAL = 1006;

const noSocketNow = (detail: string) =>
  new AppError(503, 'service_unavailable', detail, {
    headers: { 'retry-after': String(retryAfterS('usual')) },
  });

/** Each holds the two ends of one websocket. */
export class Sockets {
  readonly #open = new Set<WebSocket>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  readonly #config: GatewayConfig;
  readonly #publicProto: string;
  #leaving = false;

  constructor(config: GatewayConfig, publicProto: string) {
    this.#config = config;
    this.#publicProto = publicProto;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Brings upgrades into the app's own routing, so that whatever holds for requests holds for them. */
  register(app: FastifyInstance): void {
    app.server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
      upgrades.set(req, { socket, head });
      socket.on('error', () => socket.destroy());
      const res = new ServerResponse(req);
      // Whatever is answered in place of a socket is the last on this connection.
      res.shouldKeepAlive = false;
      res.assignSocket(socket as never);
      res.once('finish', () => socket.end());
      app.routing(req, res);
    });
  }

  /** Relays an upgrade. */
  open(req: FastifyRequest, reply: FastifyReply, upstream: Upstream): void {
    if (this.#open.size >= this.#config.WEBSOCKETS_MAX)
      throw noSocketNow('Too many pages are open right now. Please try again in a moment.');
    if (this.#leaving) throw noSocketNow('This address is closing. Please connect again.');
    this.#reach(req, upstream).then(
      (service) => this.#join(req, reply, service),
      (error: unknown) => reply.send(error),
    );
  }

  #join(req: FastifyRequest, reply: FastifyReply, service: WebSocket): void {
    reply.hijack();
    const upgrade = upgrades.get(req.raw);
    if (upgrade === undefined || upgrade.socket.destroyed) {
      service.terminate();
      return;
    }
    reply.raw.detachSocket(upgrade.socket as never);
    this.#server.handleUpgrade(req.raw, upgrade.socket, upgrade.head, (browser) => {
      this.#open.add(browser);
      browser.once('close', () => this.#open.delete(browser));
      relay(browser, service);
      relay(service, browser);
      service.resume();
    });
    // A handshake that was not one has been answered by `ws`.
    if (upgrade.socket.destroyed || upgrade.socket.writableEnded) service.terminate();
  }

  #reach(req: FastifyRequest, upstream: Upstream): Promise<WebSocket> {
    const pairs = requestHeaders(req, this.#publicProto);
    const headers: Record<string, string> = {};
    for (let at = 0; at < pairs.length; at += 2) {
      const name = pairs[at] ?? '';
      // The handshake of this hop is our own.
      if (!name.startsWith('sec-websocket-')) headers[name] = pairs[at + 1] ?? '';
    }
    const url = new URL(req.raw.url ?? '', upstream.url);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const service = new WebSocket(url, {
      headers,
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
    });
    req.raw.socket.once('close', () => {
      if (service.readyState === WebSocket.CONNECTING) service.terminate();
    });
    return new Promise((resolve, reject) => {
      service.once('open', () => {
        // What it says at once waits for the browser's own handshake.
        service.pause();
        resolve(service);
      });
      service.once('error', (err) => {
        req.log.warn({ service: upstream.name, requestId: req.id, err }, 'A service did not answer');
        reject(unavailableNow(upstream.title));
      });
    });
  }

  /** Has every page open a new socket, at another gateway, within this time; lets nobody new in. */
  startLeaving(withinMs: number): void {
    this.#leaving = true;
    // `server.leaving` (libs/contracts/messaging/live.ts) as socket.io writes it: a message (4) that is an event (2).
    const packet = `42${JSON.stringify(['server.leaving', { within_ms: withinMs }])}`;
    if (withinMs > 0) for (const browser of this.#open) browser.send(packet);
  }

  /** Ends all with a goodbye that browsers take for a restart, not for a fault. */
  end(): void {
    this.#leaving = true;
    for (const browser of this.#open) {
      browser.close(SERVICE_RESTART);
      setTimeout(() => browser.terminate(), GOODBYE_MS).unref();
    }
  }
}

/** Passes whole messages on, at the pace of their reader, and the end. */
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
