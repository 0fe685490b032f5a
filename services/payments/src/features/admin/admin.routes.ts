import { paymentsRoutes as routes } from '@karaar/contracts/payments/http';
import { csvAnswer } from '@karaar/base/csv';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { paymentLine, PAYMENT_COLUMNS, presentLine, presentTotals } from './admin.presenter.ts';
import { exportPayments, listAll, paymentTotals } from './admin.service.ts';

export function adminRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.adminPayments, async ({ query, reply }) => {
    const { items, nextCursor } = await listAll(ctx, query);
    if (nextCursor) reply.header('x-next-cursor', nextCursor);
    return items.map(presentLine);
  });
  mountRoute(app, routes.adminPaymentsPage, async ({ query }) => {
    const { items, nextCursor } = await listAll(ctx, query);
    return { items: items.map(presentLine), next_cursor: nextCursor };
  });
  mountRoute(app, routes.adminPaymentsExport, async ({ principal, query }) =>
    csvAnswer('payments', PAYMENT_COLUMNS, await exportPayments(ctx, principal.userId, query), paymentLine),
  );
  mountRoute(app, routes.adminPaymentTotals, async ({ query }) =>
    presentTotals(await paymentTotals(ctx, query.days)),
  );
}
