import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { bindCapture, openCapture, subjectOf } from '../identity-verification/live-captures.service.ts';
import { getInvolvedDocument } from './agreements.service.ts';

/** Binds photos to their purpose when they are taken. Only a document's parties can bind photos to its ID. */
export function capturesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.openCapture, async ({ principal, body }) => {
    const subject = subjectOf(body);
    if (body.document_id !== undefined) await getInvolvedDocument(ctx, principal.userId, body.document_id);
    return openCapture(ctx, principal.userId, { step: body.step, subject });
  });
  mountRoute(app, routes.bindCapture, async ({ principal, body }) =>
    bindCapture(ctx, principal.userId, body),
  );
}
