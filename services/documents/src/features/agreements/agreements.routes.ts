import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { sent } from '../verification/sent.ts';
import { presentDocument, presentEvent, presentStub } from './agreements.presenter.ts';
import {
  createDocument,
  getDocument,
  listHistory,
  listMine,
  listPendingAgreements,
} from './agreements.service.ts';

export function agreementsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.create, async ({ principal, form }) => {
    const created = await createDocument(ctx, principal.userId, {
      fields: form.fields,
      rawDocuments: form.files.raw_documents,
      images: {
        profile_pic: sent(form.files.profile_pic),
        eye: sent(form.files.eye),
        sign: sent(form.files.sign),
      },
    });
    return {
      message: 'The document was created.',
      document_id: created.documentId,
      document_code: created.documentCode,
    };
  });

  mountRoute(app, routes.myDocuments, async ({ principal, query }) => {
    const sign = ctx.signFor(principal.userId);
    const records = await listMine(ctx, principal.userId, query);
    return records.map((record) => presentDocument(record, principal.userId, sign));
  });

  mountRoute(app, routes.pendingAgreements, async ({ principal }) => {
    const sign = ctx.signFor(principal.userId);
    const records = await listPendingAgreements(ctx, principal.userId);
    return records.map((record) => presentDocument(record, principal.userId, sign));
  });

  mountRoute(app, routes.get, async ({ principal, params }) => {
    const { record, involved } = await getDocument(ctx, principal.userId, params.id);
    return involved
      ? presentDocument(record, principal.userId, ctx.signFor(principal.userId))
      : presentStub(record);
  });

  mountRoute(app, routes.events, async ({ principal, params }) => {
    const events = await listHistory(ctx, principal.userId, params.id);
    return events.map(presentEvent);
  });
}
