import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { TrafficClass } from '@karaar/contracts/traffic-class';
import { AppError, badRequest } from '@karaar/platform/errors';
import { type Baseline, countShed, type Holder } from '../shedding/index.ts';
import type { FastifyReply } from 'fastify';
import type { Dispatcher } from 'undici';
import { drainRequest } from '../http/errors.ts';
import { TooLate, unavailableNow } from '../http/refusals.ts';
import { beginAnswer } from './answer.ts';
import { RequestBody } from './request-body.ts';
import type { Upstream } from './upstream.ts';

/** One request as its service is to get it. */
export type ProxyRequest = {
  reply: FastifyReply;
  upstream: Upstream;
  /** Path and query as the service knows them. */
  path: string;
  /** Flat name/value pairs. */
  headers: string[];
  /** The whole body, or a stream. */
  body: Buffer | RequestBody | null;
  trafficClass: TrafficClass;
  holder: Holder;
  /** `baseline`: the route's least time without a queue, if its time says anything about one. */
  route: { deadlineMs: number; baseline: Baseline | undefined };
};

const RETRY_AFTER_MS = 100;
/** Errors before any answer which show that the connection was not there, or is gone. */
const CONNECTION_FAULTS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const GONE = new Error('The browser has gone');

/**
 * Sends a request to its service and streams the answer back. Neither body is held: each side is read
 * as fast as the other takes it. A browser that goes away aborts the service's work; a service that goes
 * away gives 503 if the answer had not begun, and a cut connection (never a short answer that looks
 * complete) if it had.
 * @throws AppError in place of an answer
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

/** The callbacks of undici for a request at its service: begun, answered, ended or broken. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #proxyRequest: ProxyRequest;
  #controller: Dispatcher.DispatchController | undefined;
  /** Takes the answer's bytes, once it has begun. */
  #answer: Writable | undefined;
  /** Why the gateway gave it up. */
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
    reply.raw.once('close', this.#closed);
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
    // The rest of a quick answer only waits for its reader; the rest of a long one holds a connection.
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
      // No error page is sent here: the head is on its way.
      this.#answer.destroy();
      this.#proxyRequest.reply.raw.destroy();
      this.#leaveRest();
    }
  }

  /** Retries over a new connection, when the request has no side effects and the connection broke before any answer. */
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

  /** Gives the request up: the deadline passed, the browser has gone, or the rest of its body does not come. */
  readonly #stop = (why: Error): void => {
    this.#stopped ??= why;
    this.#controller?.abort(this.#stopped);
    // While it waits for a connection, only this ends it.
    if (this.#answer === undefined) this.#fail(this.#stopped);
  };

  /** Answers in place of the service. */
  #fail(fault: Error): void {
    if (this.#over) return;
    this.#over = true;
    const { reply, body } = this.#proxyRequest;
    this.#stopClock();
    this.#leave();
    if (body instanceof RequestBody) body.destroy();
    if (!reply.raw.destroyed) void reply.send(refusalOf(this.#proxyRequest, fault));
  }

  /** The answer has been sent, or its reader has gone. */
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

  /** The deadline of the service begins when it has the whole request. */
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

  /** Only successful answers show how long the work takes: a busy service refuses quickly. */
  #note(status: number): void {
    const { upstream, trafficClass, route } = this.#proxyRequest;
    if (status === 503) upstream.gate.noteTurnedAway();
    if (trafficClass !== 'quick' || route.baseline === undefined || status >= 300) return;
    const now = performance.now();
    upstream.gate.noteDelay(route.baseline.delayOf(now - this.#since, now));
  }
}

/** The error for the browser; its reason is logged for operations. */
function refusalOf({ reply, upstream }: ProxyRequest, fault: unknown): AppError {
  const { request } = reply;
  if (fault instanceof AppError && !(fault instanceof TooLate)) return fault;
  request.log.warn({ service: upstream.name, requestId: request.id, err: fault }, 'A service did not answer');
  // Requests that would not be valid on the wire are not sent.
  if (codeOf(fault) === 'UND_ERR_INVALID_ARG')
    return badRequest('bad_request', 'This request could not be understood.');
  upstream.breaker.failed();
  if (!(fault instanceof TooLate)) return unavailableNow(upstream.title);
  upstream.gate.noteTurnedAway();
  return fault;
}

const codeOf = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : '';
