import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentChange, presentPricing } from './pricing.presenter.ts';
import {
  getPricing,
  pricingHistory,
  setPricing,
  setUserEditing,
  userEditing,
  type PricingAuthor,
} from './pricing.service.ts';

export function pricingRoutes(app: HttpApp, ctx: Context): void {
  const read = async () => presentPricing(await getPricing(ctx));
  const set = async (author: PricingAuthor, rate: number) =>
    presentPricing(await setPricing(ctx, author, rate));
  const history = async () => (await pricingHistory(ctx)).map(presentChange);
  const byUser = (id: string): PricingAuthor => ({ kind: 'user', id });
  const byAdmin = (id: string): PricingAuthor => ({ kind: 'admin', id });

  mountRoute(app, routes.getPricing, read);
  mountRoute(app, routes.pricingHistory, history);
  mountRoute(app, routes.createPricing, ({ principal, body }) =>
    set(byUser(principal.userId), body.daily_rate),
  );
  mountRoute(app, routes.updatePricing, ({ principal, body }) =>
    set(byUser(principal.userId), body.daily_rate),
  );

  mountRoute(app, routes.adminGetPricing, read);
  mountRoute(app, routes.adminPricingHistory, history);
  mountRoute(app, routes.adminCreatePricing, ({ principal, body }) =>
    set(byAdmin(principal.userId), body.daily_rate),
  );
  mountRoute(app, routes.adminUpdatePricing, ({ principal, body }) =>
    set(byAdmin(principal.userId), body.daily_rate),
  );
  mountRoute(app, routes.adminGetUserEditing, async () => ({ enabled: await userEditing(ctx) }));
  mountRoute(app, routes.adminSetUserEditing, async ({ principal, body }) => ({
    enabled: await setUserEditing(ctx, principal.userId, body.enabled),
  }));
}
