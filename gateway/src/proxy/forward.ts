import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { TrafficClass } from '@karaar/contracts/traffic-class';
import { AppError, badRequest } from '@karaar/base/errors';
import { whenClosed } from '@karaar/http';
import { type Baseline, countShed, type Holder } from '../shedding/index.ts';
import type { FastifyReply } from 'fastify';
import type { Dispatcher } from 'undici';
import { drainRequest } from '../http/errors.ts';
import { TooLate, unavailableNow } from '../http/refusals.ts';
import { beginAnswer } from './answer.ts';
import { RequestBody } from './request-body.ts';
import type { Upstream } from './upstream.ts';

export type ProxyRequest = {
  reply: FastifyReply;
  upstream: Upstream;
  /** Path and query on the service. */
  path: string;
  /** Flat name/value pairs. */
  headers: string[];
  body: Buffer | RequestBody | null;
  trafficClass: TrafficClass;
  holder: Holder;
  /**
   * `baseline`: the route's shortest time without a queue; undefined if its time says nothing about a queue.
   */
  route: { deadlineMs: number; baseline: Baseline | undefined };
};

const RETRY_AFTER_MS = 100;
/** Errors before any answer that show a missing or broken connection. */
const CONNECTION_FAULTS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const GONE = new Error('The browser has gone');

/**
 * Sends a request to its service and streams the answer back. Neither body is buffered: each side is read as
 * fast as the other accepts data. If the browser disconnects, the service's work is aborted. If the service
 * disconnects before the answer has begun, the browser gets a 503; later its connection is cut, so that a
 * short answer does not look complete.
 * @throws AppError if the breaker is open
 */
export function forward(proxyRequest: ProxyRequest): void {
  const { reply, upstream } = proxyRequest;
  if (reply.raw.destroyed) return;
  if (!upstream.breaker.admits()) {
    countShed(upstream.name, '', 'breaker');
    throw unavailableNow(upstream.title);
  }
  new Exchange(proxyRequest).ask(upstream.pool);
}

/** The undici callbacks for one request to a service. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #proxyRequest: ProxyRequest;
  #controller: Dispatcher.DispatchController | undefined;
  #answer: Writable | undefined;
  #stopped: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #inside = true;
  #over = false;
  #retried = false;

  constructor(proxyRequest: ProxyRequest) {
    const { reply, upstream, trafficClass, holder, body } = proxyRequest;
    this.#proxyRequest = proxyRequest;
    upstream.gate.enter(trafficClass, holder);
    whenClosed(reply.raw, this.#closed);
    if (body instanceof RequestBody) body.once('end', this.#startClock).once('error', this.#stop);
    else this.#startClock();
  }

  ask(service: Dispatcher): void {
    const { reply, path, headers, body } = this.#proxyRequest;
    const method = reply.request.method as Dispatcher.HttpMethod;
    this.#controller = undefined;
    service.dispatch({ method, path, headers, body }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(this.#stopped ?? GONE);
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    const { reply, upstream, trafficClass } = this.#proxyRequest;
    this.#stopClock();
    upstream.breaker.answered();
    this.#note(status);
    // Once a quick answer has begun, its rest only waits for the reader; the rest of a long one holds a
    // connection.
    if (trafficClass === 'quick') this.#leave();
    this.#answer = beginAnswer(reply, status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#answer?.write(chunk) !== false) return;
    controller.pause();
    this.#answer.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#over = true;
    this.#answer?.end();
    this.#leaveRest();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#answer === undefined) this.#unanswered(error);
    else {
      // No error page is sent here, because the head has already been sent.
      this.#answer.destroy();
      this.#proxyRequest.reply.raw.destroy();
      this.#leaveRest();
    }
  }

  /**
   * Retries over a new connection if the request has no side effects and the connection broke before any
   * answer.
   */
  #unanswered(error: Error): void {
    const { reply, upstream } = this.#proxyRequest;
    const { method } = reply.request;
    const isSafe = method === 'GET' || method === 'HEAD';
    const mayRetry = isSafe && !this.#retried && this.#stopped === undefined && !this.#over;
    if (!mayRetry || !CONNECTION_FAULTS.has(codeOf(error))) {
      this.#fail(this.#stopped ?? error);
      return;
    }
    this.#retried = true;
    const again = (): void => {
      if (!this.#over) upstream.afresh((service) => this.ask(service));
    };
    if (codeOf(error) === 'ECONNREFUSED') setTimeout(again, RETRY_AFTER_MS);
    else again();
  }

  /**
   * Aborts the request: the deadline passed, the browser disconnected, or the rest of its body does not
   * arrive.
   */
  readonly #stop = (why: Error): void => {
    this.#stopped ??= why;
    this.#controller?.abort(this.#stopped);
    // undici has no controller while the request waits for a connection, so it is failed here.
    if (this.#answer === undefined) this.#fail(this.#stopped);
  };

  #fail(fault: Error): void {
    if (this.#over) return;
    this.#over = true;
    const { reply, body } = this.#proxyRequest;
    this.#stopClock();
    this.#leave();
    if (body instanceof RequestBody) body.destroy();
    if (!reply.raw.destroyed) void reply.send(refusalOf(this.#proxyRequest, fault));
  }

  readonly #closed = (): void => {
    this.#leave();
    if (!this.#proxyRequest.reply.raw.writableFinished) this.#stop(GONE);
  };

  /** The service may have answered before it had the whole body. */
  #leaveRest(): void {
    if (this.#proxyRequest.body instanceof RequestBody) drainRequest(this.#proxyRequest.reply.request.raw);
  }

  #leave(): void {
    const { upstream, trafficClass, holder } = this.#proxyRequest;
    if (this.#inside) upstream.gate.leave(trafficClass, holder);
    this.#inside = false;
  }

  readonly #startClock = (): void => {
    const { route, upstream } = this.#proxyRequest;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#stop(new TooLate(upstream.title)), route.deadlineMs);
  };

  #stopClock(): void {
    const { body } = this.#proxyRequest;
    if (body instanceof RequestBody) body.off('end', this.#startClock);
    clearTimeout(this.#timer);
  }

  /** Only successful answers show how long the work takes, because a busy service refuses quickly. */
  #note(status: number): void {
    const { upstream, trafficClass, route } = this.#proxyRequest;
    if (status === 503) upstream.gate.noteTurnedAway();
    if (trafficClass !== 'quick' || route.baseline === undefined || status >= 300) return;
    const now = performance.now();
    upstream.gate.noteDelay(route.baseline.delayOf(now - this.#since, now));
  }
}

/** Returns the error for the browser, and logs the reason for operators. */
function refusalOf({ reply, upstream }: ProxyRequest, fault: unknown): AppError {
  const { request } = reply;
  if (fault instanceof AppError && !(fault instanceof TooLate)) return fault;
  request.log.warn({ service: upstream.name, requestId: request.id, err: fault }, 'A service did not answer');
  // undici does not send requests that would be invalid on the wire.
  if (codeOf(fault) === 'UND_ERR_INVALID_ARG')
    return badRequest('bad_request', 'This request could not be understood.');
  upstream.breaker.failed();
  if (!(fault instanceof TooLate)) return unavailableNow(upstream.title);
  upstream.gate.noteTurnedAway();
  return fault;
}

const codeOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : '';
