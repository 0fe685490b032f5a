import { archiveRoutes as routes } from '@karaar/contracts/documents/archive';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { archiveDocument, restoreDocument } from './archive.service.ts';

export function archiveRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.archive, async ({ principal, params }) => {
    await archiveDocument(ctx, principal.userId, params.id);
    return { message: 'The document is in your archive.' };
  });
  mountRoute(app, routes.restore, async ({ principal, params }) => {
    await restoreDocument(ctx, principal.userId, params.id);
    return { message: 'The document is in your list again.' };
  });
}
