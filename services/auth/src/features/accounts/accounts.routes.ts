import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { sendPhoneChangeOtp } from '../otp/otp.service.ts';
import { presentUser } from './accounts.presenter.ts';
import { deleteAccount, findBlockers } from './deletion.service.ts';
import { exportUser } from './export.service.ts';
import { changePhone } from './phone.service.ts';
import { register, requireUser, updateProfile, type UserRow } from './accounts.service.ts';

export function accountsRoutes(app: HttpApp, ctx: Context): void {
  const ownProfile = (user: UserRow, { sessionId }: { sessionId: string }) =>
    presentUser(user, user.govt_id_number && ctx.secrets.open(user.govt_id_number, user.id), (path) =>
      ctx.blobs.signPath(path, { viewerId: user.id, sessionId, ttlS: ctx.config.FILE_LINK_TTL_S }),
    );

  mountRoute(app, routes.register, async ({ form, req }) => {
    const [idImage] = form.files.govt_id_image;
    if (!idImage) throw new Error('A required file is missing although the contract was checked.');
    await register(ctx, form.fields, idImage, req.ip);
    return { message: 'Registration successful! Please login with OTP.', redirect_to_login: true };
  });

  mountRoute(app, routes.profile, async ({ principal }) =>
    ownProfile(await requireUser(ctx, principal.userId), principal),
  );

  mountRoute(app, routes.updateProfile, async ({ principal, form }) =>
    ownProfile(
      await updateProfile(ctx, principal.userId, form.fields, form.files.govt_id_image[0]),
      principal,
    ),
  );

  mountRoute(app, routes.sendPhoneCode, async ({ principal, body, req }) => {
    const { resendAfterS } = await sendPhoneChangeOtp(ctx, principal.userId, body.phone_no, req.ip);
    return { message: 'A code is on its way to the new number.', resend_after_s: resendAfterS };
  });

  mountRoute(app, routes.changePhone, async ({ principal, body }) =>
    ownProfile(await changePhone(ctx, principal.userId, body.phone_no, body.otp), principal),
  );

  mountRoute(app, routes.exportProfile, async ({ principal }) => ({
    body: await exportUser(ctx, principal.userId, (user) => ownProfile(user, principal)),
    mime: 'application/zip',
    filename: 'karaar-export.zip',
    download: true,
  }));

  mountRoute(app, routes.deletionBlockers, async ({ principal }) => ({
    blockers: await findBlockers(ctx, principal.userId),
  }));

  mountRoute(app, routes.deleteAccount, async ({ principal, body }) => {
    await deleteAccount(ctx, principal.userId, body.confirm_char_id);
    return { message: 'Your account is deleted.' };
  });
}
