import { paymentsRoutes as routes } from '@karaar/contracts/payments/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { printReceipt } from './receipts.service.ts';

export function receiptsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.receipt, async ({ principal, params, query }) => ({
    body: await printReceipt(ctx, principal, { id: params.id, language: query.language }),
    mime: 'application/pdf',
    filename: `karaar-receipt-${params.id}.pdf`,
    download: true,
  }));
}
