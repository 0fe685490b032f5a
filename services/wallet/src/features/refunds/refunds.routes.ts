import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentRefund } from './refunds.presenter.ts';
import { createRefund, listRefunds } from './refunds.service.ts';

export function refundsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.createRefund, async ({ principal, body }) =>
    presentRefund(
      await createRefund(ctx, principal.userId, {
        paymentId: body.payment_id,
        amount: body.amount,
        reason: body.reason,
        idempotencyKey: body.idempotency_key,
      }),
    ),
  );
  mountRoute(app, routes.listRefunds, async ({ query }) =>
    (await listRefunds(ctx, query)).map(presentRefund),
  );
}
