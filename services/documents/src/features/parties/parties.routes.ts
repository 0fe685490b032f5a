import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/platform/http-kit';
import { callerOf } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { oncePerKey } from '../idempotency/idempotency.service.ts';
import { requiredImages, statedBy } from '../verification/sent.ts';
import { presentRead, presentStub } from '../agreements/agreements.presenter.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import {
  acceptInvitation,
  giveApproval,
  join,
  lookUpCode,
  rejectAgreement,
  verifyOneself,
} from './answers.service.ts';
import { withdrawFrom } from './withdrawal.service.ts';
import { admitParty, inviteUser, remindParty, removeParty } from './parties.service.ts';

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
    const images = requiredImages(form);
    const { document_code } = form.fields;
    const asked = { operation: 'join', fields: form.fields, files: form.files };
    return oncePerKey(ctx, caller, asked, (remember) => join(ctx, caller, document_code, images, remember));
  });

  mountRoute(app, routes.respondAgreement, async ({ params, form, ...request }) => {
    const caller = callerOf(request);
    const asked = { operation: `respond ${params.id}`, fields: form.fields, files: form.files };
    return oncePerKey(ctx, caller, asked, (remember) =>
      form.fields.response === 'reject'
        ? rejectAgreement(ctx, caller, params.id, form.fields.reason, remember)
        : acceptInvitation(
            ctx,
            caller,
            params.id,
            {
              profile_pic: form.files.profile_pic[0],
              eye: form.files.eye[0],
              sign: form.files.sign[0],
              thumb: form.files.thumb[0],
              stated: statedBy(form.fields),
              readHash: form.fields.content_hash,
            },
            remember,
          ),
    );
  });

  mountRoute(app, routes.selfVerifyApprove, async ({ params, form, ...request }) => {
    const caller = callerOf(request);
    const { approve: approves = true, content_hash: readHash } = form.fields;
    const images = { ...requiredImages(form), thumb: form.files.thumb[0] };
    const asked = { operation: `verify ${params.id}`, fields: form.fields, files: form.files };
    return oncePerKey(ctx, caller, asked, (remember) =>
      verifyOneself(ctx, caller, params.id, images, { approves, readHash }, remember),
    );
  });

  mountRoute(app, routes.approve, async ({ params, body, ...request }) => {
    const caller = callerOf(request);
    const { userId, id } = params;
    await giveApproval(ctx, caller, id, { userId, readHash: body.content_hash });
    const record = await getInvolvedDocument(ctx, caller.userId, id);
    return presentRead(record, caller.userId, ctx.signFor(request.principal));
  });

  mountRoute(app, routes.approveUser, async ({ params, ...request }) => {
    await admitParty(ctx, callerOf(request), params.id, params.userId);
    return { message: 'The user was admitted and can now read and approve the document.' };
  });

  mountRoute(app, routes.withdraw, async ({ params, body, ...request }) => {
    const caller = callerOf(request);
    const asked = { operation: `withdraw ${params.id}`, fields: body, files: {} };
    return oncePerKey(ctx, caller, asked, (remember) =>
      withdrawFrom(ctx, caller, params.id, body.reason, remember),
    );
  });

  mountRoute(app, routes.removeUser, async ({ params, ...request }) => {
    await removeParty(ctx, callerOf(request), params.id, params.userId);
    return { message: 'The user was removed.' };
  });
}
