import { sealedZipRoutes as routes } from '@karaar/contracts/documents/sealed-zip';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { openSealedZip } from './sealed-zip.service.ts';

export function sealedZipRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.sealedZip, async ({ principal, body }) => ({
    body: await openSealedZip(ctx, principal.userId, body.document_ids),
    mime: 'application/zip',
    filename: 'karaar-documents.zip',
    download: true,
  }));
}
