import { walletRoutes as routes } from '@karaar/contracts/wallet/http';
import { mountWebhook, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { receiveWebhook } from './webhook.service.ts';

export const webhookRoutes = (app: HttpApp, ctx: Context): void =>
  mountWebhook(app, routes.webhook, ({ rawBody, header }) =>
    receiveWebhook(ctx, {
      rawBody,
      signature: header('x-razorpay-signature') ?? '',
      eventId: header('x-razorpay-event-id'),
    }),
  );
