import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { sendOtp } from '../otp/otp.service.ts';
import { closeSession } from './sessions.service.ts';
import { signIn, signInAdmin } from './sign-in.service.ts';

export function sessionsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.sendOtp, async ({ body, req }) => {
    const { resendAfterS } = await sendOtp(ctx, body.phone_no, req.ip);
    return { message: 'A code is on its way to your phone.', resend_after_s: resendAfterS };
  });

  mountRoute(app, routes.login, async ({ body }) => {
    const { token, user } = await signIn(ctx, body.phone_no, body.otp);
    return { access_token: token, token_type: 'bearer', user_id: user.id, char_id: user.char_id };
  });

  mountRoute(app, routes.logout, async ({ principal }) => {
    await closeSession(ctx, principal.sessionId);
    return { message: 'Logged out successfully' };
  });

  mountRoute(app, routes.adminLogin, async ({ body }) => ({
    token: await signInAdmin(ctx, body.username, body.password),
    username: body.username,
  }));

  // Internal: the gateway and the services fetch it; it is no route of the gateway.
  app.get('/.well-known/jwks.json', async () => ctx.tokenKeys.jwks);
}
