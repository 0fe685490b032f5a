import type { TrafficClass } from '@karaar/contracts/traffic-class';
import type { Principal, TokenVerifier } from '@karaar/http/auth';
import { bodyFollows, checkAccess, whenClosed } from '@karaar/http';
import { InFlightLimit, type Part, type Release } from '../shedding/index.ts';
import { openServerSpan } from '@karaar/observability/telemetry';
import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteHandlerMethod } from 'fastify';
import type { GatewayConfig } from '../config.ts';
import { isUpgrade } from '../http/framing.ts';
import { bodyTooLarge, tooManyAtOnce } from '../http/refusals.ts';
import { addressKey, networkKey, type Limits } from '../limits/limits.ts';
import { forward, type ProxyRequest } from '../proxy/forward.ts';
import { RequestBody } from '../proxy/request-body.ts';
import { requestHeaders } from '../http/request-headers.ts';
import type { Upstream } from '../proxy/upstream.ts';
import type { Shedder } from './shedder.ts';
import type { Route } from './table.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Pick<Route, 'key'>;
  }
  interface FastifyRequest {
    /** The signed-in user's id; '' on routes without sign-in. */
    userId: string;
  }
}

export type AdmissionOptions = {
  config: GatewayConfig;
  limits: Limits;
  shedder: Shedder;
  verifier: TokenVerifier;
};

export type Target = { route: Omit<Route, 'service'>; upstream: Upstream };

export class Admission {
  readonly #options: AdmissionOptions;
  /**
   * Requests of each address that are at services; the next two count only the long ones, per address and per
   * user.
   */
  readonly #byAddress: InFlightLimit;
  readonly #longByAddress: InFlightLimit;
  readonly #longByUser: InFlightLimit;

  constructor(options: AdmissionOptions) {
    const { REQUESTS_PER_ADDRESS, LONG_PER_ADDRESS, LONG_PER_USER } = options.config;
    this.#options = options;
    this.#byAddress = new InFlightLimit(REQUESTS_PER_ADDRESS);
    this.#longByAddress = new InFlightLimit(LONG_PER_ADDRESS);
    this.#longByUser = new InFlightLimit(LONG_PER_USER);
  }

  /**
   * Returns the hooks and handler of a route to a service. They return a promise only if they have to wait.
   */
  to(target: Target): { onRequest: onRequestHookHandler[]; handler: RouteHandlerMethod } {
    const { shedder, limits } = this.#options;
    const { route, upstream } = target;
    const enter: onRequestHookHandler = (req, reply, done) => {
      // A WebSocket does not count as a request in progress.
      const weight = { trafficClass: route.trafficClass, urgency: route.urgency, part: partOf(req, route) };
      if (isUpgrade(req.raw) || shedder.hasRoom(upstream, weight)) done();
      else shedder.turnAway(reply, upstream, weight);
    };
    const check: onRequestHookHandler = (req, _reply, done) => {
      const waits = this.#check(req, route);
      if (waits === undefined) done();
      else waits.then(() => done(), done);
    };
    const counted = (['sensitive', 'heavy'] as const).filter((which) => route[which]);
    return {
      onRequest: [enter, ...counted.map((which) => limits[which]), check],
      handler: (req, reply) => this.#take(req, reply, target),
    };
  }

  /**
   * Stores the caller's id.
   * @returns a promise only if the session has to be looked up
   * @throws AppError 401, 403, 503
   */
  #check(req: FastifyRequest, { access }: Target['route']): Promise<void> | undefined {
    if (access === 'public') return undefined;
    const note = ({ userId }: Principal): void => void (req.userId = userId);
    const checked = checkAccess(this.#options.verifier, access, req.headers.authorization);
    if (checked instanceof Promise) return checked.then(note);
    note(checked);
    return undefined;
  }

  /**
   * Reads as much of the body as forwarding needs, and forwards the request. A body takes a place at the
   * service only once it is complete or has begun to flow.
   * @throws AppError
   */
  #take(req: FastifyRequest, reply: FastifyReply, target: Target): void {
    const { route, upstream } = target;
    const hasBody = bodyFollows(req.raw);
    if (hasBody && Number(req.headers['content-length'] ?? 0) > route.maxBytes)
      throw bodyTooLarge(route.maxBytes);
    this.#hold(reply, this.#byAddress, addressKey(req));
    // An incomplete body may take as long as its sender likes, so the request counts as long.
    const waits = route.trafficClass === 'long' || (hasBody && !req.raw.complete);
    const release = waits ? this.#holdLong(req, reply) : undefined;
    const body = hasBody ? this.#body(req, reply, route, upstream) : null;
    if (body === null) {
      this.#send(reply, target, null, route.trafficClass);
      return;
    }
    const send = (whole: boolean): void => {
      const trafficClass = whole ? route.trafficClass : 'long';
      if (trafficClass === 'quick') release?.();
      else if (release === undefined) this.#holdLong(req, reply);
      this.#send(reply, target, whole ? body.bytes() : body, trafficClass);
    };
    body
      .buffered()
      .then(send)
      .catch((error: unknown) => reply.send(error));
  }

  /**
   * Forwards a request, or refuses it if other requests have taken the places meanwhile.
   * @throws AppError
   */
  #send(reply: FastifyReply, target: Target, body: ProxyRequest['body'], trafficClass: TrafficClass): void {
    const { route, upstream } = target;
    const { request: req } = reply;
    const holder = { part: partOf(req, route), caller: req.userId || networkKey(req) };
    const weight = { trafficClass, urgency: route.urgency, ...holder };
    if (!this.#options.shedder.hasRoom(upstream, weight)) {
      if (body instanceof RequestBody) body.destroy();
      this.#options.shedder.turnAway(reply, upstream, weight);
      return;
    }
    const headers = requestHeaders(req, this.#options.config, record(target, req, reply));
    const declared = req.headers['content-length'];
    if (body instanceof RequestBody && declared !== undefined) headers.push('content-length', declared);
    forward({ reply, upstream, route, path: pathOf(req, route), headers, body, trafficClass, holder });
  }

  #body(req: FastifyRequest, reply: FastifyReply, route: Target['route'], upstream: Upstream): RequestBody {
    const { config } = this.#options;
    const isLong = route.trafficClass === 'long';
    const rules = {
      maxBytes: route.maxBytes,
      windowMs: isLong ? config.UPLOAD_STALL_MS : config.BODY_STALL_MS,
      minBytesPerS: isLong ? config.UPLOAD_MIN_BYTES_PER_S : config.BODY_MIN_BYTES_PER_S,
    };
    if (req.headers.expect !== undefined) reply.raw.writeContinue();
    return new RequestBody(req.raw, rules, upstream.title);
  }

  #holdLong(req: FastifyRequest, reply: FastifyReply): Release {
    const ofAddress = this.#hold(reply, this.#longByAddress, addressKey(req));
    const ofUser = req.userId === '' ? undefined : this.#hold(reply, this.#longByUser, req.userId);
    return () => {
      ofAddress();
      ofUser?.();
    };
  }

  /**
   * Takes a place until the answer is over.
   * @throws AppError 429
   */
  #hold(reply: FastifyReply, limit: InFlightLimit, key: string): Release {
    const release = limit.take(key);
    if (release === undefined) throw tooManyAtOnce();
    whenClosed(reply.raw, release);
    return release;
  }
}

/** Returns the share of the long places that the request belongs to. */
function partOf(req: FastifyRequest, { access }: Target['route']): Part {
  if (!bodyFollows(req.raw)) return 'download';
  return access === 'public' ? 'stranger' : 'signed-in';
}

function pathOf({ raw }: FastifyRequest, route: Target['route']): string {
  const url = raw.url ?? '';
  const path = url.startsWith(`${API}/`) ? url.slice(API.length) : url;
  return route.rewrite?.(path) ?? path;
}
export const API = '/api';

/**
 * Records a span if tracing is on.
 * @returns the trace context for the service; undefined if tracing is off
 */
function record({ route, upstream }: Target, req: FastifyRequest, { raw: res }: FastifyReply) {
  const name = route.key === 'other' ? upstream.name : route.key;
  const about = { 'http.request.method': req.method, 'http.route': route.key };
  const span = openServerSpan(req.headers['traceparent']?.toString(), name, about);
  if (span === undefined) return undefined;
  whenClosed(res, () =>
    span.end({ 'http.response.status_code': res.statusCode }, res.statusCode >= 500 || !res.writableFinished),
  );
  return span.traceparent;
}
