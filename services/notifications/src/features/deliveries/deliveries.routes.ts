import { notificationsRoutes as routes } from '@karaar/contracts/notifications/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { deliveriesCausedBy } from './deliveries.service.ts';

export function deliveriesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.deliveries, async ({ principal, params }) =>
    (await deliveriesCausedBy(ctx, principal.userId, params.documentId)).map((row) => ({
      kind: row.kind,
      channel: row.channel,
      user_id: row.user_id,
      state: row.state,
      ...(row.state === 'failed' ? { bounced: row.bounced } : {}),
      at: (row.ended_at ?? row.created_at).toISOString(),
    })),
  );
}
