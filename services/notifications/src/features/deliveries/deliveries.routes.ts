import { notificationsRoutes as routes } from '@karaar/contracts/notifications/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { deliveriesCausedBy } from './deliveries.service.ts';

export function deliveriesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.deliveries, ({ principal, params }) =>
    deliveriesCausedBy(ctx, principal.userId, params.documentId),
  );
}
