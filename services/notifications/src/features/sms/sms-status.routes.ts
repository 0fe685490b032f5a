import { notificationsRoutes as routes } from '@karaar/contracts/notifications/http';
import { mountWebhook, type HttpApp } from '@karaar/http';
import { twilioToken } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { receiveSmsStatus } from './sms-status.service.ts';

/** Registers the route for Twilio's reports. With MSG91, which has no signature to check, it does not exist. */
export function smsStatusRoutes(app: HttpApp, ctx: Context): void {
  const token = twilioToken(ctx.config);
  if (token === undefined) return;
  mountWebhook(app, routes.smsStatus, ({ params, rawBody, header }) => {
    const signature = header('x-twilio-signature') ?? '';
    const { deliveryId = '' } = params;
    return receiveSmsStatus(ctx, { deliveryId, body: rawBody.toString(), signature }, token);
  });
}
