import { labelsRoutes as routes } from '@karaar/contracts/documents/labels';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../../context.ts';
import { partyRightsFirst } from '../agreements.service.ts';
import { deleteLabel, listLabels, renameLabel, setLabels } from './labels.service.ts';

export function labelsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.labels, ({ principal }) => listLabels(ctx, principal.userId));
  mountRoute(app, routes.renameLabel, ({ principal, body }) =>
    renameLabel(ctx, principal.userId, body.name, body.new_name),
  );
  mountRoute(app, routes.deleteLabel, ({ principal, query }) =>
    deleteLabel(ctx, principal.userId, query.name),
  );
  mountRoute(
    app,
    routes.setLabels,
    ({ principal, params, body }) => setLabels(ctx, principal.userId, params.id, body.labels),
    partyRightsFirst(ctx),
  );
}
