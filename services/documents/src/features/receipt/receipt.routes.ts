import { verifyRoutes } from '@karaar/contracts/documents/verify';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { receiptFor } from './receipt.service.ts';

export function receiptRoutes(app: HttpApp, ctx: Context): void {
  // A download, because HTML shown from our origin would run with our permissions.
  mountRoute(app, verifyRoutes.receipt, async ({ principal, params }) => {
    const { html, filename } = await receiptFor(ctx, principal.userId, params.id);
    return { body: Buffer.from(html), mime: 'text/html; charset=utf-8', filename, download: true };
  });
}
