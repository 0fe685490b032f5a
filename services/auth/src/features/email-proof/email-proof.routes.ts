import { authEmailRoutes as routes } from '@karaar/contracts/auth/email-http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { proveEmail, sendEmailCode } from './email-proof.service.ts';

export function emailProofRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.sendEmailCode, async ({ principal, req }) => {
    const sent = await sendEmailCode(ctx, principal.userId, req.ip);
    return {
      message: sent.alreadySent
        ? 'A code was sent to your e-mail address a moment ago. Enter that one.'
        : 'A code is on its way to your e-mail address.',
      resend_after_s: sent.resendAfterS,
    };
  });
  mountRoute(app, routes.proveEmail, async ({ principal, body }) => {
    await proveEmail(ctx, principal.userId, body.otp);
    return { message: 'Your e-mail address is confirmed.' };
  });
}
