import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { sendOtp } from '../otp/otp.service.ts';
import { originOf } from '../sessions/device.ts';
import { signIn } from './sign-in.service.ts';

export function signInRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.sendOtp, async ({ body, req }) => {
    const from = { ip: req.ip, browser: body.browser };
    const sent = await sendOtp(ctx, body.phone_no, from, body.language);
    return {
      message: sent.alreadySent
        ? 'A code was sent to this phone a moment ago. Enter that one.'
        : 'A code is on its way to your phone.',
      resend_after_s: sent.resendAfterS,
      challenge_id: sent.challengeId,
      already_sent: sent.alreadySent,
    };
  });

  mountRoute(app, routes.login, async ({ body, req }) => {
    const { phone_no: phone, otp: code, challenge_id: challengeId, browser } = body;
    const { token, userId, charId } = await signIn(ctx, { phone, code, challengeId, browser }, originOf(req));
    return { access_token: token, token_type: 'bearer', user_id: userId, char_id: charId };
  });
}
