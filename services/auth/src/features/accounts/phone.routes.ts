import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import { grantOf } from '@karaar/service/step-up';
import type { Context } from '../../context.ts';
import { sendPhoneChangeOtp } from '../otp/otp.service.ts';
import { presentOwn } from './accounts.presenter.ts';
import { requireUser } from './accounts.service.ts';
import { confirmAct, sendActCode } from './own-number.service.ts';
import { askForMove, keepNumber } from './phone-move.service.ts';
import { changePhone } from './phone.service.ts';

export function phoneRoutes(app: HttpApp, ctx: Context): void {
  const ownProfile = presentOwn(ctx);

  mountRoute(app, routes.sendPhoneCode, async ({ principal, body, req }) => {
    const { language } = await requireUser(ctx, principal.userId);
    const sent = await sendPhoneChangeOtp(ctx, principal.userId, body.phone_no, req.ip, language);
    return {
      message: sent.alreadySent
        ? 'A code was sent to the new number a moment ago. Enter that one.'
        : 'A code is on its way to the new number.',
      resend_after_s: sent.resendAfterS,
    };
  });

  mountRoute(app, routes.changePhone, async ({ principal, body, req }) => {
    const proof = { code: body.otp, grant: grantOf(req) };
    return ownProfile(await changePhone(ctx, principal, body.phone_no, proof), principal);
  });

  mountRoute(app, routes.movePhone, async ({ principal, body, req }) => {
    const proof = { code: body.otp, grant: grantOf(req) };
    return ownProfile(await askForMove(ctx, principal.userId, body.phone_no, proof), principal);
  });

  mountRoute(app, routes.cancelPhoneMove, async ({ principal }) =>
    ownProfile(await keepNumber(ctx, principal.userId), principal),
  );

  mountRoute(app, routes.beginStepUp, async ({ principal, body, req }) => {
    const sent = await sendActCode(ctx, principal, body.act, req.ip);
    return {
      message: sent.alreadySent
        ? 'A code was sent to your phone a moment ago. Enter that one.'
        : 'A code is on its way to your phone.',
      resend_after_s: sent.resendAfterS,
    };
  });

  mountRoute(app, routes.finishStepUp, async ({ principal, body }) => {
    await confirmAct(ctx, principal, body.act, body.otp);
    return { message: 'Confirmed.' };
  });
}
