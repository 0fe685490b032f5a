import { cmsRoutes as routes } from '@karaar/contracts/cms/http';
import { isNotModified, mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { pageEtag } from './page-etag.ts';
import { presentPage } from './pages.presenter.ts';
import { allPages, getPage, getPublicPage, type PageRow } from './pages.service.ts';

/** Kept by whoever may keep it, and asked about before it is shown again. */
const PRIVATE = 'private, no-cache';
/** Terms and privacy are the same for everybody: proxies may serve them a minute, and while they ask. */
const PUBLIC = 'public, max-age=60, stale-while-revalidate=600';

type Exchange = { req: FastifyRequest; reply: FastifyReply };

/** What was returned is not sent when a 304 is out already. */
function answer({ req, reply }: Exchange, page: PageRow, caching: string) {
  reply.header('cache-control', caching);
  isNotModified(req, reply, pageEtag(page));
  return presentPage(page);
}

export function pagesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.listPages, async () => (await allPages(ctx)).map(presentPage));
  mountRoute(app, routes.getPage, async ({ params, ...exchange }) =>
    answer(exchange, await getPage(ctx, params.id), PRIVATE),
  );
  mountRoute(app, routes.getPublicPage, async ({ params, ...exchange }) =>
    answer(exchange, await getPublicPage(ctx, params.id), PUBLIC),
  );
}
