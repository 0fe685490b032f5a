import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '@karaar/contracts/services';
import type { TokenVerifier } from '@karaar/platform/auth';
import { notFound } from '@karaar/platform/errors';
import { checkAccess } from '../auth/access.ts';
import { label, sendJson, wrongMethod } from '../http/answer.ts';
import type { Header } from '../http/security-headers.ts';
import { nameRoute } from '../metrics.ts';
import type { Upstream } from '../proxy/upstream.ts';
import { docsAnswer } from './docs.ts';
import type { HealthCheck } from './health.ts';
import type { Passage, Target } from './passage.ts';
import type { Route, RouteTable } from './table.ts';

export type ApiOptions = {
  passage: Passage;
  table: RouteTable;
  upstreams: Readonly<Record<ServiceName, Upstream>>;
  verifier: TokenVerifier;
  health: HealthCheck;
  /** On each answer that does not set them itself. */
  headers: readonly Header[];
};

const BASE = '/api';
/** A step in the path, plain or escaped: no contract has one, and services must not be asked to resolve it. */
const DOT_SEGMENT = /\/(\.|%2e){1,2}(\/|$)/i;

/** Everything below `/api`. */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /**
   * Answers or forwards one request; a promise only where something has to be waited for.
   * @param pathname the URL's path, undecoded @throws AppError
   */
  handle(req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> | undefined {
    const { passage, table, verifier } = this.#options;
    const client = passage.admit(req);
    const path = pathname.slice(BASE.length);
    if (path === '/health') return this.#health(req, res);
    if (path === '/docs' || path.startsWith('/docs/')) {
      docsAnswer(req, res, path, this.#options.headers);
      return undefined;
    }
    if (DOT_SEGMENT.test(path)) throw unknownPath();
    const found = table.find(req.method ?? '', path);
    if (found.route === null) throw found.allow.length > 0 ? wrongMethod(found.allow) : unknownPath();
    const { route } = found;
    nameRoute(res, route.key);
    const target = this.#target(req, route);
    if (passage.turnsAway(req, res, target)) return undefined;
    if (route.sensitive) passage.admitTo('sensitive', client);
    if (route.heavy) passage.admitTo('heavy', client);
    const checking =
      route.access === 'public' ? undefined : checkAccess(verifier, route.access, req.headers.authorization);
    if (checking !== undefined) return checking.then(() => passage.send(req, res, target, client));
    passage.send(req, res, target, client);
    return undefined;
  }

  #target(req: IncomingMessage, route: Route): Target {
    const { passage, upstreams, headers } = this.#options;
    const path = (req.url ?? '').slice(BASE.length);
    return {
      upstream: upstreams[route.service],
      path: route.rewrite === undefined ? path : route.rewrite(path),
      deadlineMs: route.deadlineMs,
      maxBytes: route.maxBytes,
      defaults: headers,
      weight: passage.weigh(req, route),
      baseline: route.baseline,
      route: route.key,
    };
  }

  async #health(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== 'GET' && req.method !== 'HEAD') throw wrongMethod(['GET', 'HEAD']);
    const health = await this.#options.health.read();
    label(res, this.#options.headers);
    sendJson(req, res, health.status === 'ok' ? 200 : 503, health);
  }
}

const unknownPath = () => notFound('not_found', 'There is no such call.');
