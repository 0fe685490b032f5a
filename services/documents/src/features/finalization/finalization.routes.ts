import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { RAW_FILES_TOTAL_BYTES } from '@karaar/contracts/limits';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentDocument } from '../agreements/agreements.presenter.ts';
import { creatorRightsFirst, getInvolvedDocument } from '../agreements/agreements.service.ts';
import { finalizeDocument, openFinalPdf } from './finalization.service.ts';

export function finalizationRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(
    app,
    routes.finalize,
    async ({ principal, params, form, reply }) => {
      const done = await finalizeDocument(ctx, principal.userId, params.id, form.files.final_documents);
      const record = await getInvolvedDocument(ctx, principal.userId, params.id);
      reply.code(done ? 200 : 202);
      return presentDocument(record, principal.userId, ctx.signFor(principal));
    },
    { maxTotalBytes: RAW_FILES_TOTAL_BYTES, ...creatorRightsFirst(ctx) },
  );

  mountRoute(app, routes.finalPdf, async ({ principal, params }) => {
    const pdf = await openFinalPdf(ctx, principal.userId, params.id);
    return { body: pdf.stream, mime: 'application/pdf', filename: pdf.filename, size: pdf.size };
  });
}
