import { courtPackRoutes as routes } from '@karaar/contracts/documents/court-pack';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import type { Pack } from './build-pack.ts';
import { takeCourtPack, takeCourtPackForAdmin } from './court-pack.service.ts';
import { partyRightsFirst } from '../agreements/agreements.service.ts';

const asDownload = ({ open, filename }: Pack) => ({
  body: open(),
  mime: 'application/zip',
  filename,
  download: true,
});

export function courtPackRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(
    app,
    routes.courtPack,
    async ({ principal, params, body }) =>
      asDownload(await takeCourtPack(ctx, principal.userId, params.id, body.reason)),
    partyRightsFirst(ctx),
  );
  mountRoute(app, routes.adminCourtPack, async ({ principal, params, body }) =>
    asDownload(await takeCourtPackForAdmin(ctx, principal.userId, params.id, body)),
  );
}
