import { notificationsRoutes as routes } from '@karaar/contracts/notifications/http';
import { mountRoute, mountWebhook, type HttpApp } from '@karaar/http';
import { hasWhatsapp } from '../../config.ts';
import type { Context } from '../../context.ts';
import { receiveWhatsappReports } from './whatsapp-status.service.ts';
import { answerChallenge } from './whatsapp-status.ts';

/** Registers the routes for Meta's reports, if the operator has an account. */
export function whatsappStatusRoutes(app: HttpApp, ctx: Context): void {
  if (!hasWhatsapp(ctx.config)) return;
  mountRoute(app, routes.verifyWhatsapp, ({ query }) =>
    Promise.resolve(answerChallenge(query, ctx.config.WHATSAPP_VERIFY_TOKEN)),
  );
  mountWebhook(app, routes.whatsappStatus, ({ rawBody, header }) =>
    receiveWhatsappReports(ctx, { rawBody, signature: header('x-hub-signature-256') ?? '' }),
  );
}
