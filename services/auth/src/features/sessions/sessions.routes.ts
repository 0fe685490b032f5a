import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentSession } from './sessions.presenter.ts';
import { closeAllSessions, closeOwnSession, closeSession, listSessions } from './sessions.service.ts';

export function sessionsRoutes(app: HttpApp, ctx: Context): void {
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

  // Internal: the services and the gateway fetch it, but the gateway does not publish it.
  app.get('/.well-known/jwks.json', () => ctx.tokenKeys.jwks());
}
