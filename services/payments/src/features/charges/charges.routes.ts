import { paymentsRoutes as routes } from '@karaar/contracts/payments/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import { grantOf } from '@karaar/service/step-up';
import type { Context } from '../../context.ts';
import { presentCalculation, presentDue, presentPayment } from './charges.presenter.ts';
import {
  getCharge,
  getPrice,
  listDocumentPayments,
  listDue,
  listMyPayments,
  requirePrimary,
  setUpDistribution,
} from './charges.service.ts';
import { progressOf } from './progress.ts';
import { confirmPayment, createPayment, pay } from './saga.service.ts';

export function chargesRoutes(app: HttpApp, ctx: Context): void {
  const price = ({ principal, params }: { principal: { userId: string }; params: Record<string, string> }) =>
    getPrice(ctx, principal.userId, params['id'] ?? '');
  const partyRightsFirst = { rightsFirst: price };
  const creatorRightsFirst = {
    rightsFirst: async (about: Parameters<typeof price>[0]) =>
      requirePrimary(await price(about), about.principal.userId),
  };

  mountRoute(app, routes.calculate, async ({ principal, params }) =>
    presentCalculation(await getCharge(ctx, principal.userId, params.id)),
  );

  mountRoute(
    app,
    routes.setupDistribution,
    async ({ principal, params, body }) => {
      const portions = body.payment_distributions.map(({ user_id, percentage }) => ({
        userId: user_id,
        percentage,
      }));
      return presentCalculation(
        await setUpDistribution(ctx, principal.userId, params.id, { ...body, portions }),
      );
    },
    creatorRightsFirst,
  );

  mountRoute(app, routes.paymentStatus, async ({ principal, params }) => {
    const { document, distribution, live } = await getCharge(ctx, principal.userId, params.id);
    const progress = progressOf(document.primary_user, distribution?.shares, live);
    return { primary_paid_completed: progress.primaryPaid, completed: progress.completed };
  });

  mountRoute(app, routes.documentPayments, async ({ principal, params }) =>
    (await listDocumentPayments(ctx, principal.userId, params.id)).map(presentPayment),
  );

  mountRoute(app, routes.due, async ({ principal }) =>
    (await listDue(ctx, principal.userId)).map(presentDue),
  );

  mountRoute(app, routes.myPayments, async ({ principal }) =>
    (await listMyPayments(ctx, principal.userId)).map(presentPayment),
  );

  mountRoute(
    app,
    routes.pay,
    async ({ principal, params, body, req }) =>
      presentPayment(await pay(ctx, principal.userId, params.id, { sums: body, grant: grantOf(req) })),
    partyRightsFirst,
  );

  mountRoute(app, routes.create, async ({ principal, body }) =>
    presentPayment(await createPayment(ctx, principal.userId, body.document_id)),
  );

  mountRoute(app, routes.confirm, async ({ principal, params, req }) =>
    presentPayment(await confirmPayment(ctx, principal.userId, params.id, grantOf(req))),
  );
}
