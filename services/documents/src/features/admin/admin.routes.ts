import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { csvAnswer } from '@karaar/base/csv';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import {
  documentLine,
  DOCUMENT_COLUMNS,
  presentAllCounts,
  presentDetail,
  presentForAdmin,
} from './admin.presenter.ts';
import { countAll, exportDocuments, getForAdmin, listAll, openBiometric } from './admin.service.ts';

export function adminRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.adminDocuments, async ({ query, reply }) => {
    const { items, nextCursor } = await listAll(ctx, query);
    if (nextCursor) reply.header('x-next-cursor', nextCursor);
    return items.map(presentForAdmin);
  });
  mountRoute(app, routes.adminDocumentsPage, async ({ query }) => {
    const { items, nextCursor } = await listAll(ctx, query);
    return { items: items.map(presentForAdmin), next_cursor: nextCursor };
  });
  mountRoute(app, routes.adminDocumentsExport, async ({ principal, query }) =>
    csvAnswer(
      'documents',
      DOCUMENT_COLUMNS,
      await exportDocuments(ctx, principal.userId, query),
      documentLine,
    ),
  );
  mountRoute(app, routes.adminDocumentCounts, async ({ query }) =>
    presentAllCounts(await countAll(ctx, query.days)),
  );
  mountRoute(app, routes.adminDocument, async ({ params }) =>
    presentDetail(await getForAdmin(ctx, params.id)),
  );
  mountRoute(app, routes.openBiometric, async ({ principal, params, body }) =>
    openBiometric(ctx, principal.userId, {
      documentId: params.id,
      userId: body.user_id,
      kind: body.kind,
      reason: body.reason.trim(),
    }),
  );
}
