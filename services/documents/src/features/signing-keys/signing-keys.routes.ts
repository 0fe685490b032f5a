import { signingKeysRoutes as routes } from '@karaar/contracts/documents/signing-keys';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { addKey, beginKey, listKeys, removeKey } from './signing-keys.service.ts';
import { stateForSigning } from './signing.service.ts';
import { fieldFault } from '../../errors.ts';
import { partyRightsFirst } from '../agreements/agreements.service.ts';

export function signingKeysRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.signingKeys, ({ principal }) => listKeys(ctx, principal.userId));

  mountRoute(app, routes.beginSigningKey, ({ principal, form }) => {
    const [photo] = form.files.profile_pic;
    if (!photo) throw fieldFault('profile_pic', 'is required');
    return beginKey(ctx, principal.userId, photo);
  });

  mountRoute(app, routes.addSigningKey, ({ principal, body }) => addKey(ctx, principal.userId, body));

  mountRoute(app, routes.removeSigningKey, async ({ principal, params }) => {
    await removeKey(ctx, principal.userId, params.id);
    return { message: 'The passkey was removed.' };
  });

  mountRoute(
    app,
    routes.signingStatement,
    ({ principal, params, body }) => stateForSigning(ctx, principal.userId, params.id, body.key_id),
    partyRightsFirst(ctx),
  );
}
