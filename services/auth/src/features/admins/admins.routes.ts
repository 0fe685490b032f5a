import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { addressOf } from '@karaar/base/addresses';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { originOf } from '../sessions/device.ts';
import { closeOwnSession } from '../sessions/sessions.service.ts';
import { presentAdminUser } from './admins.presenter.ts';
import { asksForPasskey, signInAdmin } from './sign-in/sign-in-admin.service.ts';
import { confirmTotp, enrollTotp, recoveryCodesLeft, requireAdmin } from './sign-in/totp.service.ts';
import { setActive } from './users/users.service.ts';

export function adminsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.adminLogin, ({ body, req }) =>
    signInAdmin(ctx, body, { origin: originOf(req), address: addressOf(req.ip) }),
  );

  mountRoute(app, routes.adminMe, async ({ principal }) => {
    const admin = await requireAdmin(ctx, principal.userId);
    return {
      admin_id: admin.id,
      username: admin.username,
      role: admin.role,
      totp_enabled: admin.totp_secret !== null,
      passkey_required: await asksForPasskey(ctx, admin.id),
      recovery_codes_left: await recoveryCodesLeft(ctx, admin.id),
    };
  });

  mountRoute(app, routes.adminLogout, async ({ principal }) => {
    await closeOwnSession(ctx, principal.userId, principal.sessionId);
    return { message: 'Logged out successfully' };
  });

  mountRoute(app, routes.enrollTotp, async ({ principal, body }) => {
    const { secret, url } = await enrollTotp(ctx, principal.userId, body.password);
    return { secret, otpauth_url: url };
  });

  mountRoute(app, routes.confirmTotp, async ({ principal, body }) => ({
    recovery_codes: await confirmTotp(ctx, principal.userId, body.code),
  }));

  for (const [route, active] of [
    [routes.deactivateUser, false],
    [routes.reactivateUser, true],
  ] as const) {
    mountRoute(app, route, async ({ principal, params, body }) =>
      presentAdminUser(
        await setActive(ctx, principal, { userId: params.id, active, reason: body.reason?.trim() ?? '' }),
      ),
    );
  }
}
