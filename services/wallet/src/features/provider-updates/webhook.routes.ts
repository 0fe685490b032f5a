import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import type { HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { receiveWebhook } from './webhook.service.ts';

const header = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

export function webhookRoutes(app: HttpApp, ctx: Context): void {
  // The signature covers the raw bytes, so this route alone takes its body unparsed.
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
