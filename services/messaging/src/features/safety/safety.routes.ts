import { messagingRoutes as routes } from '@karaar/contracts/messaging/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentReport } from './safety.presenter.ts';
import { block, report, reportsForAdmin, resolveReport, unblock } from './safety.service.ts';

export function safetyRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.block, async ({ principal, params }) => {
    await block(ctx, principal.userId, params.userId);
    return { message: 'This person can no longer write to you.' };
  });

  mountRoute(app, routes.unblock, async ({ principal, params }) => {
    await unblock(ctx, principal.userId, params.userId);
    return { message: 'This person can write to you again.' };
  });

  mountRoute(app, routes.report, async ({ principal, body }) => {
    await report(ctx, principal.userId, body);
    return { message: 'Thank you. We will look into it.' };
  });

  mountRoute(app, routes.adminReports, async ({ query }) =>
    (await reportsForAdmin(ctx, query)).map(presentReport),
  );

  mountRoute(app, routes.resolveReport, async ({ principal, params, body }) =>
    presentReport(await resolveReport(ctx, principal.userId, params.id, body.note ?? '')),
  );
}
