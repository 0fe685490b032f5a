import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { presentPricing } from './pricing.presenter.ts';
import { getPricing, setPricing } from './pricing.service.ts';

export function pricingRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.getPricing, async () => presentPricing(await getPricing(ctx)));
  mountRoute(app, routes.createPricing, async ({ principal, body }) =>
    presentPricing(await setPricing(ctx, principal.userId, body.daily_rate)),
  );
  mountRoute(app, routes.updatePricing, async ({ principal, body }) =>
    presentPricing(await setPricing(ctx, principal.userId, body.daily_rate)),
  );
}
