import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { partyRightsFirst } from '../agreements/agreements.service.ts';
import { printHistory } from './history.service.ts';

export function historyRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(
    app,
    routes.historyPdf,
    async ({ principal, params, query }) => {
      const { pdf, filename } = await printHistory(ctx, principal.userId, params.id, query.language);
      return { body: Buffer.from(pdf), mime: 'application/pdf', filename, download: true };
    },
    partyRightsFirst(ctx),
  );
}
