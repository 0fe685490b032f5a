import { authRoutes as routes } from '@karaar/contracts/auth/http';
import { addressOf } from '@karaar/base/addresses';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { renewRecoveryCodes } from '../sign-in/recovery-codes.service.ts';
import { originOf } from '../../sessions/device.ts';
import { beginPasskeySignIn, finishPasskeySignIn } from './passkey-sign-in.service.ts';
import { presentPasskey } from './passkeys.presenter.ts';
import { addOwn, beginOwn, ownPasskeys, removeOwn } from './passkeys.service.ts';

const fromOf = (req: FastifyRequest) => ({ origin: originOf(req), address: addressOf(req.ip) });

export function passkeysRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.beginPasskeySignIn, ({ body, req }) => beginPasskeySignIn(ctx, body, fromOf(req)));
  mountRoute(app, routes.finishPasskeySignIn, ({ body, req }) => finishPasskeySignIn(ctx, body, fromOf(req)));

  mountRoute(app, routes.passkeys, async ({ principal }) =>
    (await ownPasskeys(ctx, principal.userId)).map(presentPasskey),
  );

  mountRoute(app, routes.beginPasskey, ({ principal, body }) =>
    beginOwn(ctx, principal.userId, body.password),
  );

  mountRoute(app, routes.addPasskey, async ({ principal, body }) => ({
    recovery_codes: await addOwn(ctx, principal.userId, body),
  }));

  mountRoute(app, routes.renewRecoveryCodes, async ({ principal, body }) => ({
    recovery_codes: await renewRecoveryCodes(ctx, principal.userId, body.password),
  }));

  mountRoute(app, routes.removePasskey, async ({ principal, params, body }) => {
    await removeOwn(ctx, principal.userId, params.id, body.password);
    return { message: 'Passkey removed' };
  });
}
