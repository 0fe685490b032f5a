import { verifyRoutes } from '@karaar/contracts/documents/verify';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { receiptFor } from './receipt.service.ts';

export function receiptRoutes(app: HttpApp, ctx: Context): void {
  // A download: opened from the reader's own disk it needs nothing of ours, shown by us it would run in our name.
  mountRoute(app, verifyRoutes.receipt, async ({ principal, params }) => {
    const { html, filename } = await receiptFor(ctx, principal.userId, params.id);
    return { body: Buffer.from(html), mime: 'text/html; charset=utf-8', filename, download: true };
  });
}
