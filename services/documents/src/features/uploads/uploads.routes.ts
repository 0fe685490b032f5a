import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentUpload } from './uploads.presenter.ts';
import { getUpload, keepUpload, throwAway, uploadNotFound } from './uploads.service.ts';

export function uploadsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.upload, async ({ principal, form }) => {
    const [file] = form.files.file;
    if (!file) throw uploadNotFound();
    return presentUpload(await keepUpload(ctx, principal.userId, file), ctx.signFor(principal));
  });

  mountRoute(app, routes.getUpload, async ({ principal, params }) =>
    presentUpload(await getUpload(ctx, principal.userId, params.id), ctx.signFor(principal)),
  );

  mountRoute(app, routes.deleteUpload, async ({ principal, params }) => {
    await throwAway(ctx, principal.userId, params.id);
    return { message: 'The file was thrown away.' };
  });
}
