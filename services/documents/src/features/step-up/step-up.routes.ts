import { documentsInternalRpc } from '@karaar/contracts/documents/inner';
import { stepUpRoutes as routes } from '@karaar/contracts/documents/step-up';
import { mountRoute, type HttpApp } from '@karaar/http';
import { serveInternalRpc } from '@karaar/service/internal-rpc';
import type { Context } from '../../context.ts';
import { beginStepUp, describeStanding, finishStepUp } from './step-up.service.ts';

export function stepUpRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.beginStepUp, ({ principal, body }) => beginStepUp(ctx, principal.userId, body.act));

  mountRoute(app, routes.finishStepUp, ({ principal, body }) => finishStepUp(ctx, principal.userId, body));

  // For payments, at the internal port.
  serveInternalRpc(app.inner, documentsInternalRpc.stepUp, ({ user_id }) => describeStanding(ctx, user_id));
}
