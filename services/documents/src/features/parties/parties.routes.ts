import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import { callerOf } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { oncePerKey } from '../idempotency/idempotency.service.ts';
import { requiredImages } from '../verification/sent.ts';
import { presentDocument, presentStub } from '../agreements/agreements.presenter.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import { acceptInvitation, join, lookUpCode, rejectInvitation, verifyAndApprove } from './answers.service.ts';
import { approveDocument, approveParty, inviteUser, remindParty, removeParty } from './parties.service.ts';

export function partiesRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.initiateAgreement, async ({ body, ...request }) => {
    const { document_id, target_user_char_id: charId, notice_language: language } = body;
    const name = await inviteUser(ctx, callerOf(request), document_id, { charId, language });
    return { message: `${name} has been invited.` };
  });

  mountRoute(app, routes.addUser, async ({ params, body, ...request }) => {
    const { target_user_char_id: charId, notice_language: language } = body;
    const name = await inviteUser(ctx, callerOf(request), params.id, { charId, language });
    return { message: `${name} has been added.` };
  });

  mountRoute(app, routes.remind, async ({ params, ...request }) => {
    const name = await remindParty(ctx, callerOf(request), params.id, params.userId);
    return { message: `${name} will be reminded.` };
  });

  mountRoute(app, routes.lookUpCode, async ({ body, ...request }) =>
    presentStub(await lookUpCode(ctx, callerOf(request), body.document_code)),
  );

  mountRoute(app, routes.join, async ({ form, ...request }) => {
    const caller = callerOf(request);
    const images = requiredImages(form.files);
    const { document_code } = form.fields;
    const asked = { operation: 'join', fields: form.fields, files: form.files };
    return oncePerKey(ctx, caller, asked, (remember) => join(ctx, caller, document_code, images, remember));
  });

  mountRoute(app, routes.respondAgreement, async ({ params, form, ...request }) => {
    const caller = callerOf(request);
    const asked = { operation: `respond ${params.id}`, fields: form.fields, files: form.files };
    return oncePerKey(ctx, caller, asked, (remember) =>
      form.fields.response === 'reject'
        ? rejectInvitation(ctx, caller, params.id, remember)
        : acceptInvitation(
            ctx,
            caller,
            params.id,
            {
              profile_pic: form.files.profile_pic[0],
              eye: form.files.eye[0],
              sign: form.files.sign[0],
              thumb: form.files.thumb[0],
            },
            remember,
          ),
    );
  });

  mountRoute(app, routes.selfVerifyApprove, async ({ params, form, ...request }) => {
    await verifyAndApprove(ctx, callerOf(request), params.id, {
      ...requiredImages(form.files),
      thumb: form.files.thumb[0],
    });
    return { message: 'You are verified and have approved.' };
  });

  mountRoute(app, routes.approve, async ({ params, ...request }) => {
    const caller = callerOf(request);
    await approveDocument(ctx, caller, params.id, params.userId);
    const record = await getInvolvedDocument(ctx, caller.userId, params.id);
    return presentDocument(record, caller.userId, ctx.signFor(caller.userId));
  });

  mountRoute(app, routes.approveUser, async ({ params, ...request }) => {
    await approveParty(ctx, callerOf(request), params.id, params.userId);
    return { message: 'The user is approved.' };
  });

  mountRoute(app, routes.removeUser, async ({ params, ...request }) => {
    await removeParty(ctx, callerOf(request), params.id, params.userId);
    return { message: 'The user was removed.' };
  });
}
