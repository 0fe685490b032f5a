import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentCredit, presentOrder, presentWaiting } from './topup.presenter.ts';
import { addFunds, createOrder, listWaiting, requireOrder, verifyCheckout } from './topup.service.ts';

export function topUpRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.createOrder, async ({ principal, body }) => {
    const order = await createOrder(ctx, principal.userId, body.amount);
    return {
      success: true,
      order: { id: order.id, amount: order.amount_paise, currency: order.currency },
      key_id: ctx.config.RAZORPAY_KEY_ID,
      checkout_url: ctx.config.RAZORPAY_CHECKOUT_URL,
    };
  });

  mountRoute(app, routes.verifyPayment, async ({ principal, body }) => {
    const credited = await verifyCheckout(ctx, principal.userId, {
      orderId: body.razorpay_order_id,
      paymentId: body.razorpay_payment_id,
      signature: body.razorpay_signature,
    });
    return presentCredit(credited);
  });

  mountRoute(app, routes.orderStatus, async ({ principal, params }) =>
    presentOrder(await requireOrder(ctx, principal.userId, params.id)),
  );

  mountRoute(app, routes.waitingTopUps, async ({ principal }) => ({
    key_id: ctx.config.RAZORPAY_KEY_ID,
    checkout_url: ctx.config.RAZORPAY_CHECKOUT_URL,
    top_ups: (await listWaiting(ctx, principal.userId)).map(presentWaiting),
  }));

  mountRoute(app, routes.addFunds, async ({ principal, body }) =>
    presentCredit(
      await addFunds(ctx, principal.userId, { amount: body.amount, receipt: body.payment_receipt }),
    ),
  );
}
