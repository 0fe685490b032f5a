import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { presentPublicUser, presentUser } from './accounts.presenter.ts';
import { listUsers, register, requireUser, updateProfile, type UserRow } from './accounts.service.ts';

export function accountsRoutes(app: HttpApp, ctx: Context): void {
  const ownProfile = (user: UserRow) =>
    presentUser(user, user.govt_id_number && ctx.idNumbers.open(user.govt_id_number, user.id), (path) =>
      ctx.blobs.signPath(path, { viewerId: user.id, ttlS: ctx.config.FILE_LINK_TTL_S }),
    );

  mountRoute(app, routes.register, async ({ form, req }) => {
    const [idImage] = form.files.govt_id_image;
    if (!idImage) throw new Error('A required file is missing although the contract was checked.');
    await register(ctx, form.fields, idImage, req.ip);
    return { message: 'Registration successful! Please login with OTP.', redirect_to_login: true };
  });

  mountRoute(app, routes.profile, async ({ principal }) =>
    ownProfile(await requireUser(ctx, principal.userId)),
  );

  mountRoute(app, routes.updateProfile, async ({ principal, form }) =>
    ownProfile(await updateProfile(ctx, principal.userId, form.fields, form.files.govt_id_image[0])),
  );

  mountRoute(app, routes.listUsers, async ({ principal, query }) =>
    (await listUsers(ctx, query)).map((user) => presentPublicUser(user, principal.userId)),
  );

  mountRoute(app, routes.getUser, async ({ principal, params }) =>
    presentPublicUser(await requireUser(ctx, params.id), principal.userId),
  );
}
