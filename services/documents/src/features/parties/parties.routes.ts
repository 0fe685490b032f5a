import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { mountRoute, type HttpApp } from '@karaar/http';
import { callerOf } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { oncePerKey } from '../idempotency/idempotency.service.ts';
import { requiredImages, statedBy } from '../identity-verification/sent.ts';
import { presentRead, presentStub } from '../agreements/agreements.presenter.ts';
import {
  creatorRightsFirst,
  partyRightsFirst,
  getInvolvedDocument,
} from '../agreements/agreements.service.ts';
import {
  acceptInvitation,
  giveApproval,
  join,
  lookUpCode,
  rejectAgreement,
  verifyOneself,
} from './answers.service.ts';
import { cancelDocument } from './cancelling.service.ts';
import { chooseCancelLate, chooseReminders } from './reminders.service.ts';
import { withdrawFrom } from './withdrawal.service.ts';
import {
  admitParty,
  askParty,
  inviteUser,
  remindParty,
  removeParty,
  type Invitee,
} from './parties.service.ts';
import type { Shown } from '../agreements/approvals/shown.ts';

const inviteeOf = (body: {
  target_user_char_id: string;
  notice_language?: Invitee['language'];
  answer_by?: string;
}): Invitee => ({
  charId: body.target_user_char_id,
  language: body.notice_language,
  answerBy: body.answer_by ?? null,
});

export function partiesRoutes(app: HttpApp, ctx: Context): void {
  creatorRoutes(app, ctx);
  answerRoutes(app, ctx);
}

function creatorRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.initiateAgreement, async ({ body, ...request }) => {
    const name = await inviteUser(ctx, callerOf(request), body.document_id, inviteeOf(body));
    return { message: `${name} has been invited.` };
  });

  mountRoute(
    app,
    routes.addUser,
    async ({ params, body, ...request }) => {
      const name = await inviteUser(ctx, callerOf(request), params.id, inviteeOf(body));
      return { message: `${name} has been added.` };
    },
    creatorRightsFirst(ctx),
  );

  mountRoute(app, routes.remind, async ({ params, ...request }) => {
    const name = await remindParty(ctx, callerOf(request), params.id, params.userId);
    return { message: `${name} will be reminded.` };
  });

  mountRoute(
    app,
    routes.chooseReminders,
    async ({ params, body, ...request }) => {
      await chooseReminders(ctx, callerOf(request), params.id, body.reminders);
      return { reminders: body.reminders };
    },
    creatorRightsFirst(ctx),
  );

  mountRoute(
    app,
    routes.chooseCancelLate,
    async ({ params, body, ...request }) => {
      await chooseCancelLate(ctx, callerOf(request), params.id, body.cancel_late);
      return { cancel_late: body.cancel_late };
    },
    creatorRightsFirst(ctx),
  );

  mountRoute(app, routes.approveUser, async ({ params, ...request }) => {
    await admitParty(ctx, callerOf(request), params.id, params.userId);
    return { message: 'The user was admitted and can now read and approve the document.' };
  });

  mountRoute(
    app,
    routes.askToAnswerBy,
    async ({ params, body, ...request }) => {
      const name = await askParty(ctx, callerOf(request), params.id, params.userId, body.answer_by);
      return {
        message:
          body.answer_by === null
            ? `${name} has no date to answer by any more.`
            : `The date for ${name} is set.`,
      };
    },
    creatorRightsFirst(ctx),
  );

  mountRoute(
    app,
    routes.cancel,
    async ({ params, body, ...request }) => {
      const caller = callerOf(request);
      const command = { operation: `cancel ${params.id}`, fields: body, files: {} };
      return oncePerKey(ctx, caller, command, (remember) =>
        cancelDocument(ctx, caller, params.id, body.reason, remember),
      );
    },
    creatorRightsFirst(ctx),
  );

  mountRoute(app, routes.removeUser, async ({ params, ...request }) => {
    await removeParty(ctx, callerOf(request), params.id, params.userId);
    return { message: 'The user was removed.' };
  });
}

function answerRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.lookUpCode, async ({ body, ...request }) =>
    presentStub(await lookUpCode(ctx, callerOf(request), body.document_code)),
  );

  mountRoute(app, routes.join, async ({ form, ...request }) => {
    const caller = callerOf(request);
    const images = requiredImages(form);
    const { document_code } = form.fields;
    const command = { operation: 'join', fields: form.fields, files: form.files };
    return oncePerKey(ctx, caller, command, (remember) => join(ctx, caller, document_code, images, remember));
  });

  mountRoute(
    app,
    routes.respondAgreement,
    async ({ params, form, ...request }) => {
      const caller = callerOf(request);
      const command = { operation: `respond ${params.id}`, fields: form.fields, files: form.files };
      return oncePerKey(ctx, caller, command, (remember) =>
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
                shown: shownBy(form.fields),
              },
              remember,
            ),
      );
    },
    partyRightsFirst(ctx),
  );

  mountRoute(
    app,
    routes.selfVerifyApprove,
    async ({ params, form, ...request }) => {
      const caller = callerOf(request);
      const { approve: approves = true } = form.fields;
      const images = { ...requiredImages(form), thumb: form.files.thumb[0] };
      const command = { operation: `verify ${params.id}`, fields: form.fields, files: form.files };
      return oncePerKey(ctx, caller, command, (remember) =>
        verifyOneself(ctx, caller, params.id, images, { approves, shown: shownBy(form.fields) }, remember),
      );
    },
    partyRightsFirst(ctx),
  );

  mountRoute(
    app,
    routes.approve,
    async ({ params, body, ...request }) => {
      const caller = callerOf(request);
      const { userId, id } = params;
      await giveApproval(ctx, caller, id, { userId, shown: shownBy(body), answer: body.signed });
      const record = await getInvolvedDocument(ctx, caller.userId, id);
      return presentRead(record, caller.userId, ctx.signFor(request.principal));
    },
    partyRightsFirst(ctx),
  );

  mountRoute(
    app,
    routes.withdraw,
    async ({ params, body, ...request }) => {
      const caller = callerOf(request);
      const command = { operation: `withdraw ${params.id}`, fields: body, files: {} };
      return oncePerKey(ctx, caller, command, (remember) =>
        withdrawFrom(ctx, caller, params.id, body.reason, remember),
      );
    },
    partyRightsFirst(ctx),
  );
}

const shownBy = (sent: { content_hash?: string; parties_hash?: string }): Shown => ({
  content: sent.content_hash,
  parties: sent.parties_hash,
});
