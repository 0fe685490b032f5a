import type { IncomingMessage, ServerResponse } from 'node:http';
import { badRequest } from '@karaar/platform/errors';
import { drainRequest } from '../http/answer.ts';
import type { Header } from '../http/security-headers.ts';
import { headerOf, type AnswerHeaders } from '../lines/answer-head.ts';
import type { AnswerHandler, Line } from '../lines/line.ts';
import { countShed } from '../metrics.ts';
import { encodingOf, packedHeaders, packer } from './compress.ts';
import { endSoon } from './last-writes.ts';
import { bodyTooLarge, refuse, tooLate, unavailableNow, uploadStalled } from './refusals.ts';
import { RequestBody } from './request-body.ts';
import { responseHeaders } from './response-headers.ts';
import type { Baseline } from '../shedding/baseline.ts';
import type { Lane } from '../shedding/lane.ts';
import type { Upstream } from './upstream.ts';

/** One request on its way through the gateway. */
export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  upstream: Upstream;
  /** Path and query as the service knows them. */
  path: string;
  /** Flat name/value pairs. */
  headers: string[];
  hasBody: boolean;
  /** Bytes of the body at most; the sender may not have declared how many it has. */
  maxBytes: number;
  requestId: string;
  lane: Lane;
  /** What this route takes alone; none for what is no route. */
  baseline: Baseline | undefined;
  /** Milliseconds the service has for the head of its answer, once it has the whole request. */
  deadlineMs: number;
  /** Milliseconds without progress after which an upload is given up. */
  stallMs: number;
  /** Headers for answers that do not set them themselves. */
  defaults: readonly Header[];
  /** Told once what kept the service from answering. */
  onFault: (upstream: Upstream, requestId: string, fault: Error) => void;
};

const RETRY_AFTER_MS = 100;
/** Faults before any answer that say: the connection was not there, or no longer. */
const CONNECTION_FAULTS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

class DeadlinePassed extends Error {
  readonly code = 'DEADLINE';
}

/**
 * Sends a request to its service and streams the answer back. Neither body is held: each side is read
 * as fast as the other takes it. A browser that goes away aborts the service's work; a service that goes
 * away gives 503 if the answer had not begun, and a cut connection (never a short answer that looks
 * complete) if it had.
 */
export function forward(exchange: Exchange): void {
  new ForwardedRequest(exchange).start();
}

class ForwardedRequest implements AnswerHandler {
  readonly #x: Exchange;
  /** Over which it goes, while it does. */
  #line: Line | undefined;
  #body: RequestBody | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Bytes of the answer still to come, -1 when the service did not say. */
  #remaining = -1;
  /** When the service had the whole request. */
  #sentAt = 0;
  /** Still takes a place at the service. */
  #inside = false;
  #settled = false;
  #retried = false;
  /** The last bytes are on their way. */
  #ended = false;
  /** Where the answer's body goes when it is packed on the way. */
  #packer: ReturnType<typeof packer> | null = null;

  constructor(exchange: Exchange) {
    this.#x = exchange;
  }

  start(): void {
    const { req, res, upstream, lane, hasBody, maxBytes, deadlineMs, stallMs } = this.#x;
    if (res.destroyed) return;
    if (!upstream.admits()) {
      countShed(upstream.name, '', 'breaker');
      refuse(this.#x, unavailableNow(upstream.title));
      return;
    }
    upstream.gate.enter(lane);
    this.#inside = true;
    this.#sentAt = performance.now();
    this.#timer = setTimeout(this.#onTimeout, hasBody ? stallMs : deadlineMs);
    res.on('close', this.#onBrowserClosed);
    if (hasBody) {
      this.#body = new RequestBody(req, maxBytes, this.#onTooLarge);
      if (req.headers.expect !== undefined) res.writeContinue();
    }
    this.#dispatch();
  }

  #dispatch(): void {
    const { req, upstream, path, headers, hasBody } = this.#x;
    try {
      upstream.lines.dispatch({ method: req.method ?? 'GET', path, headers, hasBody }, this.#body, this);
    } catch (error) {
      // What would be no valid request on the wire (a control character in the path) is not sent.
      this.#settle();
      this.#body?.destroy();
      refuse(this.#x, badRequest('bad_request', 'This request could not be understood.'));
      this.#x.onFault(upstream, this.#x.requestId, asError(error));
    }
  }

  get isOver(): boolean {
    return this.#settled;
  }

  onLine(line: Line): void {
    this.#line = line;
  }

  onBodySent(): void {
    this.#timer?.refresh();
  }

  onRequestSent(): void {
    if (this.#body === null || this.#settled) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimeout, this.#x.deadlineMs);
    this.#sentAt = performance.now();
  }

  onAnswerHead(status: number, headers: AnswerHeaders): void {
    const { res, upstream, requestId, defaults } = this.#x;
    clearTimeout(this.#timer);
    upstream.answered();
    this.#noteTime(status);
    // The rest of a quick answer waits for its reader at most, not for the service; that of a long one holds a connection.
    if (this.#x.lane === 'quick') this.#leave();
    if (res.destroyed) {
      this.#abort();
      return;
    }
    const encoding = encodingOf(this.#x.req, status, headers);
    if (encoding !== null) {
      res.writeHead(status, responseHeaders(packedHeaders(headers, encoding), requestId, defaults));
      this.#packer = packer(encoding, res);
      return;
    }
    const length = headerOf(headers, 'content-length');
    if (length !== undefined) this.#remaining = Number(length);
    res.writeHead(status, responseHeaders(headers, requestId, defaults));
    if (length === undefined && status !== 204 && status !== 304) res.flushHeaders();
  }

  onAnswerData(chunk: Buffer): void {
    const { res } = this.#x;
    if (this.#packer === null && this.#remaining === chunk.length) {
      this.#remaining = 0;
      this.#ended = true;
      endSoon(res, chunk);
      return;
    }
    if (this.#remaining > 0) this.#remaining -= chunk.length;
    const to = this.#packer ?? res;
    // The memory is the line's and is written over by the next read.
    if (to.write(Buffer.from(chunk))) return;
    this.#line?.pause();
    to.once('drain', () => this.#line?.resume());
  }

  onAnswerEnd(): void {
    const { res } = this.#x;
    this.#line = undefined;
    this.#settle();
    if (this.#packer !== null) this.#packer.end();
    else if (!this.#ended) res.end();
    this.#dropRest();
  }

  onAnswerError(error: Error): void {
    this.#line = undefined;
    const { req, res, upstream, requestId, onFault } = this.#x;
    if (this.#mayRetry(error)) {
      this.#retried = true;
      const delay = faultCode(error) === 'ECONNREFUSED' ? RETRY_AFTER_MS : 0;
      setTimeout(() => {
        if (!this.#settled) this.#dispatch();
      }, delay);
      return;
    }
    this.#settle();
    this.#body?.destroy();
    if (req.socket.destroyed) return;
    upstream.failed();
    onFault(upstream, requestId, error);
    if (res.headersSent) res.destroy();
    else refuse(this.#x, unavailableNow(upstream.title));
  }

  /** A request without effect whose connection broke before any answer is sent once more, at once. */
  #mayRetry(error: Error): boolean {
    const { req, res } = this.#x;
    if (this.#retried || res.headersSent) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') return false;
    return CONNECTION_FAULTS.has(faultCode(error));
  }

  readonly #onTimeout = (): void => {
    if (this.#settled) return;
    const { upstream, requestId, onFault } = this.#x;
    const waitsForBrowser = this.#body?.waitsForBrowser ?? false;
    this.#settle();
    const fault = new DeadlinePassed(
      waitsForBrowser ? 'The upload stalled' : 'The service let the deadline pass',
    );
    this.#abort();
    this.#body?.destroy();
    if (waitsForBrowser) {
      refuse(this.#x, uploadStalled());
      return;
    }
    upstream.failed();
    upstream.gate.noteTurnedAway();
    onFault(upstream, requestId, fault);
    refuse(this.#x, tooLate(upstream.title));
  };

  readonly #onTooLarge = (): void => {
    if (this.#settled) return;
    this.#settle();
    const error = bodyTooLarge(this.#x.maxBytes);
    this.#abort();
    this.#body?.destroy();
    refuse(this.#x, error);
  };

  readonly #onBrowserClosed = (): void => {
    if (this.#settled) return;
    // 'close' also follows an answer that was delivered; then the service has nothing left to do.
    const delivered = this.#x.res.writableFinished;
    this.#settle();
    if (delivered) this.#dropRest();
    else this.#abort();
  };

  /** Ends the service's work, where it has begun. */
  #abort(): void {
    this.#line?.abort();
    this.#line = undefined;
  }

  /** The service has answered and wants no more; the browser may still be sending. */
  #dropRest(): void {
    this.#body?.destroy();
    drainRequest(this.#x.req);
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#leave();
    this.#x.res.off('close', this.#onBrowserClosed);
  }

  #leave(): void {
    if (!this.#inside) return;
    this.#inside = false;
    this.#x.upstream.gate.leave(this.#x.lane);
  }

  /** Only successes tell how long the work takes: refusals are quick when nothing else is. */
  #noteTime(status: number): void {
    const { upstream, lane, baseline } = this.#x;
    if (status === 503) upstream.gate.noteTurnedAway();
    if (lane !== 'quick' || baseline === undefined || status >= 300 || this.#retried) return;
    const now = performance.now();
    upstream.gate.noteDelay(baseline.delayOf(now - this.#sentAt, now));
  }
}

function faultCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
