import { paymentsRoutes as routes } from '@karaar/contracts/payments/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentReversal } from './reversals.presenter.ts';
import { confirm, decline, list, reverse } from './reversals.service.ts';

export function reversalsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.reversePayment, async ({ principal, params, body }) =>
    presentReversal(
      await reverse(ctx, principal.userId, { paymentId: params.id, reason: body.reason }),
      principal.userId,
    ),
  );
  mountRoute(app, routes.confirmReversal, async ({ principal, params }) =>
    presentReversal(await confirm(ctx, principal.userId, params.id), principal.userId),
  );
  mountRoute(app, routes.declineReversal, async ({ principal, params, body }) =>
    presentReversal(
      await decline(ctx, principal.userId, { id: params.id, reason: body.reason }),
      principal.userId,
    ),
  );
  mountRoute(app, routes.listReversals, async ({ principal, query }) => {
    const { items, nextCursor } = await list(ctx, query);
    return {
      items: items.map((line) => presentReversal(line, principal.userId)),
      next_cursor: nextCursor,
    };
  });
}
