import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import { grantOf } from '@karaar/service/step-up';
import type { Context } from '../../context.ts';
import { originOf } from '../sessions/device.ts';
import { presentOwn } from './accounts.presenter.ts';
import { deleteAccount, findBlockers } from './deletion.service.ts';
import { exportUser } from './export.service.ts';
import { openByPhone } from './phone.service.ts';
import { register, requireUser, updateProfile } from './accounts.service.ts';

export function accountsRoutes(app: HttpApp, ctx: Context): void {
  const ownProfile = presentOwn(ctx);

  mountRoute(app, routes.register, async ({ form, req }) => {
    const [idImage] = form.files.govt_id_image;
    if (!idImage) throw new Error('A required file is missing although the contract was checked.');
    const { phone_no } = await register(ctx, form.fields, idImage, req.ip);
    if (form.fields.contact_proof === undefined)
      return { message: 'Registration successful! Please login with OTP.', redirect_to_login: true };
    // The invitation has just proved the number, so the user is signed in at once.
    const session = await openByPhone(ctx, phone_no, originOf(req));
    return { message: 'Registration successful!', redirect_to_login: false, session };
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

  mountRoute(app, routes.exportProfile, async ({ principal, req }) => ({
    body: await exportUser(ctx, { userId: principal.userId, grant: grantOf(req) }, (user) =>
      ownProfile(user, principal),
    ),
    mime: 'application/zip',
    filename: 'karaar-export.zip',
    download: true,
  }));

  mountRoute(app, routes.deletionBlockers, async ({ principal }) => ({
    blockers: await findBlockers(ctx, principal.userId),
  }));

  mountRoute(app, routes.deleteAccount, async ({ principal, body, req }) => {
    const proof = { confirmation: body.confirm_char_id, grant: grantOf(req) };
    await deleteAccount(ctx, principal, proof);
    return { message: 'Your account is deleted.' };
  });
}
