import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { sendOtp } from '../otp/otp.service.ts';
import { deviceOf, networkOf } from './device.ts';
import { presentSession } from './sessions.presenter.ts';
import {
  closeAllSessions,
  closeOwnSession,
  closeSession,
  listSessions,
  type Origin,
} from './sessions.service.ts';
import { signIn } from './sign-in.service.ts';

export const originOf = (req: FastifyRequest): Origin => ({
  device: deviceOf(req.headers['user-agent']),
  network: networkOf(req.ip),
});

export function sessionsRoutes(app: HttpApp, ctx: Context): void {
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

  mountRoute(app, routes.logout, async ({ principal }) => {
    await closeOwnSession(ctx, principal.userId, principal.sessionId);
    return { message: 'Logged out successfully' };
  });

  mountRoute(app, routes.listSessions, async ({ principal }) =>
    (await listSessions(ctx, principal.userId)).map((session) =>
      presentSession(session, principal.sessionId),
    ),
  );

  mountRoute(app, routes.endSession, async ({ principal, params }) => {
    await closeSession(ctx, principal.userId, params.id);
    return { message: 'That device has been signed out.' };
  });

  mountRoute(app, routes.endAllSessions, async ({ principal, query }) => {
    const ended = await closeAllSessions(
      ctx,
      principal.userId,
      query.except_current ? principal.sessionId : undefined,
    );
    return { message: 'Signed out everywhere.', ended };
  });

  // Internal: the gateway and the services fetch it; it is not a route of the gateway.
  app.get('/.well-known/jwks.json', () => ctx.tokenKeys.jwks());
}
