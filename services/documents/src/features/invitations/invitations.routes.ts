import { invitationsRoutes as routes } from '@karaar/contracts/documents/invitations';
import { mountRoute, type HttpApp } from '@karaar/http';
import { callerOf } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { acceptByLink, lookUpInvitation } from './accepting.service.ts';
import { handOn, keepInvited } from './handing-on.service.ts';
import {
  askInvited,
  inviteByContact,
  linkInvitation,
  resendInvitation,
  withdrawInvitation,
} from './invitations.service.ts';
import { lookUpStop, stopInvitations } from './stops.service.ts';
import { creatorRightsFirst } from '../agreements/agreements.service.ts';

export function invitationsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(
    app,
    routes.inviteContact,
    ({ params, body, ...request }) => {
      const {
        contact,
        send = true,
        language,
        answer_by: answerBy = null,
        in_place_of: inPlaceOf = null,
      } = body;
      const invitee = { contact, send, language, answerBy, inPlaceOf };
      return inviteByContact(ctx, callerOf(request), params.id, invitee);
    },
    creatorRightsFirst(ctx),
  );
  mountRoute(app, routes.resendInvitation, async ({ params, ...request }) => ({
    invitation: await resendInvitation(ctx, callerOf(request), params.id, params.invitationId),
  }));
  mountRoute(app, routes.linkInvitation, async ({ params, ...request }) => ({
    link: await linkInvitation(ctx, callerOf(request), params.id, params.invitationId),
  }));
  mountRoute(
    app,
    routes.askInvitedToAnswerBy,
    async ({ params, body, ...request }) => ({
      invitation: await askInvited(ctx, callerOf(request), params.id, params.invitationId, body.answer_by),
    }),
    creatorRightsFirst(ctx),
  );
  mountRoute(app, routes.withdrawInvitation, async ({ params, ...request }) => {
    await withdrawInvitation(ctx, callerOf(request), params.id, params.invitationId);
    return { message: 'The invitation was withdrawn.' };
  });
  mountRoute(app, routes.keepInvited, async ({ params, ...request }) => {
    await keepInvited(ctx, callerOf(request), params.id, params.invitationId);
    return { message: 'The invitation stays as it is.' };
  });
  mountRoute(app, routes.handOn, async ({ body: { name = '', contact = '', ...body } }) => {
    await handOn(ctx, { ...body, name, contact });
    return { message: 'The sender was asked to invite the right person.' };
  });
  mountRoute(app, routes.lookUpInvitation, ({ body }) => lookUpInvitation(ctx, body.token));
  mountRoute(app, routes.lookUpStop, ({ body }) => lookUpStop(ctx, body.token));
  mountRoute(app, routes.stopInvitations, ({ body }) => stopInvitations(ctx, body.token, body.stop));
  mountRoute(app, routes.unsubscribeInvited, async ({ query }) => {
    await stopInvitations(ctx, query.token, 'everyone');
    return { message: 'You will not get invitations at this address any more.' };
  });
  mountRoute(app, routes.acceptInvitation, async ({ body, ...request }) => ({
    document_id: await acceptByLink(ctx, callerOf(request), { token: body.token, proof: body.proof ?? null }),
  }));
}
