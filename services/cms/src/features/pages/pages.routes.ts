import { cmsRoutes as routes } from '@karaar/contracts/cms/http';
import { isNotModified, mountRoute, type HttpApp } from '@karaar/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { pageEtag } from './page-etag.ts';
import { presentPage } from './pages.presenter.ts';
import { allPages, getPage, type ReadPage } from './pages.service.ts';

const PRIVATE = 'private, no-cache';
/**
 * Public pages are the same for every reader, so proxies may serve them for a minute, and up to ten more
 * while they revalidate.
 */
const PUBLIC = 'public, max-age=60, stale-while-revalidate=600';

type Exchange = { req: FastifyRequest; reply: FastifyReply };

function answer({ req, reply }: Exchange, page: ReadPage, caching: string) {
  reply.header('cache-control', caching);
  isNotModified(req, reply, pageEtag(page));
  return presentPage(page);
}

export function pagesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.listPages, async () => (await allPages(ctx)).map(presentPage));
  mountRoute(app, routes.getPage, async ({ params, query, ...exchange }) =>
    answer(exchange, await getPage(ctx, params.id, query.language), PRIVATE),
  );
  mountRoute(app, routes.getPublicPage, async ({ params, query, ...exchange }) =>
    answer(exchange, await getPage(ctx, params.id, query.language), PUBLIC),
  );
}
