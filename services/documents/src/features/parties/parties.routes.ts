import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import { sent } from '../verification/sent.ts';
import { presentDocument } from '../agreements/agreements.presenter.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import {
  acceptInvitation,
  approveDocument,
  approveParty,
  inviteUser,
  join,
  rejectInvitation,
  removeParty,
  verifyAndApprove,
} from './parties.service.ts';

export function partiesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.initiateAgreement, async ({ principal, body }) => {
    const name = await inviteUser(ctx, principal.userId, body.document_id, body.target_user_char_id);
    return { message: `${name} has been invited.` };
  });

  mountRoute(app, routes.addUser, async ({ principal, params, body }) => {
    const name = await inviteUser(ctx, principal.userId, params.id, body.target_user_char_id);
    return { message: `${name} has been added.` };
  });

  mountRoute(app, routes.join, async ({ principal, form }) => {
    const document_id = await join(ctx, principal.userId, form.fields.document_code, {
      profile_pic: sent(form.files.profile_pic),
      eye: sent(form.files.eye),
      sign: sent(form.files.sign),
    });
    return { message: 'Your request was sent. The creator of the document will approve it.', document_id };
  });

  mountRoute(app, routes.respondAgreement, async ({ principal, params, form }) => {
    if (form.fields.response === 'reject') {
      await rejectInvitation(ctx, principal.userId, params.id);
      return { message: 'You rejected the agreement.' };
    }
    await acceptInvitation(ctx, principal.userId, params.id, {
      profile_pic: form.files.profile_pic[0],
      eye: form.files.eye[0],
      sign: form.files.sign[0],
      thumb: form.files.thumb[0],
    });
    return { message: 'You accepted the agreement.' };
  });

  mountRoute(app, routes.selfVerifyApprove, async ({ principal, params, form }) => {
    await verifyAndApprove(ctx, principal.userId, params.id, {
      profile_pic: sent(form.files.profile_pic),
      eye: sent(form.files.eye),
      sign: sent(form.files.sign),
      thumb: form.files.thumb[0],
    });
    return { message: 'You are verified and have approved.' };
  });

  mountRoute(app, routes.approve, async ({ principal, params }) => {
    await approveDocument(ctx, principal.userId, params.id, params.userId);
    const record = await getInvolvedDocument(ctx, principal.userId, params.id);
    return presentDocument(record, principal.userId, ctx.signFor(principal.userId));
  });

  mountRoute(app, routes.approveUser, async ({ principal, params }) => {
    await approveParty(ctx, principal.userId, params.id, params.userId);
    return { message: 'The user is approved.' };
  });

  mountRoute(app, routes.removeUser, async ({ principal, params }) => {
    await removeParty(ctx, principal.userId, params.id, params.userId);
    return { message: 'The user was removed.' };
  });
}
