import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { bindCapture, openCapture } from './live-captures.service.ts';

export function capturesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.openCapture, async ({ principal, body }) =>
    openCapture(ctx, principal.userId, body),
  );
  mountRoute(app, routes.bindCapture, async ({ principal, body }) =>
    bindCapture(ctx, principal.userId, body),
  );
}
