import { cmsRoutes as routes } from '@karaar/contracts/cms/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { presentPage } from './pages.presenter.ts';
import { allPages, getPage, getPublicPage } from './pages.service.ts';

export function pagesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.listPages, async () => (await allPages(ctx)).map(presentPage));
  mountRoute(app, routes.getPage, async ({ params }) => presentPage(await getPage(ctx, params.id)));
  mountRoute(app, routes.getPublicPage, async ({ params }) =>
    presentPage(await getPublicPage(ctx, params.id)),
  );
}
