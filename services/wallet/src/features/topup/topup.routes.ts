import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { presentCredit, presentOrder } from './topup.presenter.ts';
import { addFunds, createOrder, requireOrder, verifyCheckout } from './topup.service.ts';
import { receiveWebhook } from './webhook.service.ts';

const header = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

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

  mountRoute(app, routes.addFunds, async ({ principal, body }) =>
    presentCredit(
      await addFunds(ctx, principal.userId, { amount: body.amount, receipt: body.payment_receipt }),
    ),
  );

  // The signature is over the bytes as sent, so this route alone takes its body unparsed.
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body));
    raw.post(routes.webhook.path, async (req) => {
      await receiveWebhook(ctx, {
        rawBody: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0),
        signature: header(req.headers['x-razorpay-signature']) ?? '',
        eventId: header(req.headers['x-razorpay-event-id']),
      });
      return { received: true };
    });
  });
}
