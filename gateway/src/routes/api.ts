import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '@karaar/contracts/services';
import type { TokenVerifier } from '@karaar/platform/auth';
import { notFound } from '@karaar/platform/errors';
import { checkAccess } from '../auth/access.ts';
import { sendError, sendJson, wrongMethod } from '../http/answer.ts';
import type { Header } from '../http/security-headers.ts';
import type { Upstream } from '../proxy/upstream.ts';
import { docsAnswer } from './docs.ts';
import type { HealthCheck } from './health.ts';
import type { Passage } from './passage.ts';
import type { RouteTable } from './table.ts';

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

  /** @param pathname the URL's path, undecoded */
  async handle(req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> {
    try {
      await this.#route(req, res, pathname);
    } catch (error) {
      this.#options.passage.report(error);
      this.#label(res);
      sendError(req, res, error);
    }
  }

  async #route(req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> {
    const { passage, table, upstreams, verifier, headers } = this.#options;
    const client = passage.admit(req);
    const path = pathname.slice(BASE.length);
    if (path === '/health') return this.#health(req, res);
    if (path === '/docs' || path.startsWith('/docs/')) return docsAnswer(req, res, path, headers);
    if (DOT_SEGMENT.test(path)) throw unknownPath();
    const { route, ...miss } = table.find(req.method ?? '', path);
    if (route === null)
      throw 'allow' in miss && miss.allow.length > 0 ? wrongMethod(miss.allow) : unknownPath();
    passage.admitRoute(client, route.key);
    if (route.access !== 'public') await checkAccess(verifier, route.access, req.headers.authorization);
    const rest = (req.url ?? '').slice(BASE.length);
    passage.send(
      req,
      res,
      {
        upstream: upstreams[route.service],
        path: route.rewrite === undefined ? rest : route.rewrite(rest),
        deadlineMs: route.deadlineMs,
        maxBytes: route.maxBytes,
        defaults: headers,
      },
      client,
    );
  }

  async #health(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== 'GET' && req.method !== 'HEAD') throw wrongMethod(['GET', 'HEAD']);
    const health = await this.#options.health.read();
    this.#label(res);
    sendJson(req, res, health.status === 'ok' ? 200 : 503, health);
  }

  #label(res: ServerResponse): void {
    if (res.headersSent) return;
    for (const [name, value] of this.#options.headers) res.setHeader(name, value);
  }
}

const unknownPath = () => notFound('not_found', 'There is no such call.');
