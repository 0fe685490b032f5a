import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@karaar/platform/errors';
import type { Logger } from '@karaar/platform/logging';
import { openServerSpan } from '@karaar/platform/telemetry';
import type { Header } from '../http/security-headers.ts';
import type { Limits, RareKind } from '../limits/limits.ts';
import type { Client, ClientReader } from '../proxy/client.ts';
import { forward } from '../proxy/exchange.ts';
import { requestIdOf, traceparentOf } from '../proxy/ids.ts';
import { bodyTooLarge } from '../proxy/refusals.ts';
import { requestHeaders, type Forwarded } from '../proxy/request-headers.ts';
import type { Baseline } from '../shedding/baseline.ts';
import { laneOfRequest } from '../shedding/lane.ts';
import type { Shedder, Weight } from '../shedding/shedder.ts';
import { refuseUpgrade, tunnel } from '../proxy/upgrade.ts';
import type { Tunnel } from '../proxy/tunnel.ts';
import type { Upstream } from '../proxy/upstream.ts';

export type PassageOptions = {
  clients: ClientReader;
  limits: Limits;
  shedder: Shedder;
  logger: Logger;
  stallMs: number;
};

export type Target = {
  upstream: Upstream;
  /** Path and query as the service knows them. */
  path: string;
  deadlineMs: number;
  maxBytes: number;
  defaults: readonly Header[];
  weight: Weight;
  /** What its route takes alone; none for what is no route. */
  baseline?: Baseline;
  /** Names the request in traces; the service's name when not given. */
  route?: string;
};

/** The way of every request to a service: counted, measured, labelled, forwarded. */
export class Passage {
  readonly #options: PassageOptions;

  constructor(options: PassageOptions) {
    this.#options = options;
  }

  /** Counts a request of its sender. @throws AppError 429 */
  admit(req: IncomingMessage): Client {
    const client = this.#options.clients.read(req);
    const refusal = this.#options.limits.request(client.ip);
    if (refusal !== null) throw refusal;
    return client;
  }

  /** Counts a request to a route of which an address gets fewer. @throws AppError 429 */
  admitTo(kind: RareKind, client: Client): void {
    const refusal = this.#options.limits.rare(kind, client.ip);
    if (refusal !== null) throw refusal;
  }

  /** How a request counts when there is not room for all. */
  weigh(req: IncomingMessage, { lane, urgency }: Weight): Weight {
    return { lane: laneOfRequest(lane, req.headers['content-type']), urgency };
  }

  /** Turns a request away for which there is no room. @returns whether it did */
  turnsAway(req: IncomingMessage, res: ServerResponse, target: Target): boolean {
    return this.#options.shedder.turnsAway(req, res, target);
  }

  /** Forwards a request that was admitted, or turns it away when the room was taken since. @throws AppError 413 */
  send(req: IncomingMessage, res: ServerResponse, target: Target, client: Client): void {
    if (this.#options.shedder.hasLostRoom(req, res, target)) return;
    const hasBody = bodyFollows(req);
    if (hasBody && Number(req.headers['content-length'] ?? 0) > target.maxBytes)
      throw bodyTooLarge(target.maxBytes);
    const forwarded = label(req, client);
    const span = openServerSpan(textOf(req.headers['traceparent']), target.route ?? target.upstream.name, {
      'http.request.method': req.method ?? '',
      'http.route': target.route ?? '',
    });
    if (span !== undefined) {
      forwarded.traceparent = span.traceparent;
      res.once('close', () =>
        span.end(
          { 'http.response.status_code': res.statusCode },
          res.statusCode >= 500 || !res.writableFinished,
        ),
      );
    }
    forward({
      req,
      res,
      upstream: target.upstream,
      lane: target.weight.lane,
      baseline: target.baseline,
      path: target.path,
      headers: requestHeaders(req.headers, forwarded, hasBody),
      hasBody,
      maxBytes: target.maxBytes,
      requestId: forwarded.requestId,
      deadlineMs: target.deadlineMs,
      stallMs: this.#options.stallMs,
      defaults: target.defaults,
      onFault: this.#onFault,
    });
  }

  /** Websockets: chat only. */
  upgrade(req: IncomingMessage, socket: Socket, head: Buffer, upstream: Upstream, open: Set<Tunnel>): void {
    const client = this.#options.clients.read(req);
    const refusal = this.#options.limits.request(client.ip);
    if (refusal !== null) refuseUpgrade(socket, 429, refusal.message);
    else if (!req.url?.startsWith('/socket.io/')) refuseUpgrade(socket, 404, 'There is no such socket.');
    else {
      const forwarded = label(req, client);
      const onFault = (fault: Error): void => this.#onFault(upstream, forwarded.requestId, fault);
      tunnel(req, socket, head, upstream, forwarded, open, onFault);
    }
  }

  /** Logs what was not meant for the caller. */
  report(error: unknown): void {
    if (!(error instanceof AppError))
      this.#options.logger.error({ err: error }, 'A request failed in the gateway');
  }

  readonly #onFault = (upstream: Upstream, requestId: string, fault: Error): void => {
    this.#options.logger.warn({ service: upstream.name, requestId, err: fault }, 'A service did not answer');
  };
}

const textOf = (sent: string | string[] | undefined) => (typeof sent === 'string' ? sent : undefined);

function label(req: IncomingMessage, client: Client): Forwarded {
  return {
    for: client.chain,
    proto: client.proto,
    host: client.host,
    requestId: requestIdOf(req.headers['x-request-id']),
    traceparent: traceparentOf(req.headers['traceparent']),
  };
}

/** A body on a GET has no meaning here and is not passed on. */
function bodyFollows(req: IncomingMessage): boolean {
  if (req.method === 'GET' || req.method === 'HEAD') return false;
  const length = req.headers['content-length'];
  return length === undefined ? req.headers['transfer-encoding'] !== undefined : length !== '0';
}
