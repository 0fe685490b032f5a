import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { presentPublicUser } from './directory.presenter.ts';
import { listUsers, seeUser } from './directory.service.ts';

export function directoryRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.listUsers, async ({ principal, query }) =>
    (await listUsers(ctx, principal.userId, query)).map(({ user, known }) => presentPublicUser(user, known)),
  );

  mountRoute(app, routes.getUser, async ({ principal, params }) => {
    const { user, known } = await seeUser(ctx, principal.userId, params.id);
    return presentPublicUser(user, known);
  });
}
