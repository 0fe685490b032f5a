import { documentsRoutes as routes } from '@karaar/contracts/documents/http';
import { CAPTURE_MAX_BYTES, RAW_FILES_TOTAL_BYTES } from '@karaar/contracts/limits';
import { ifMatch, mountRoute, type HttpApp } from '@karaar/http';
import { callerOf } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { oncePerKey } from '../idempotency/idempotency.service.ts';
import { requiredImages } from '../identity-verification/sent.ts';
import {
  presentOwnCounts,
  presentDocument,
  presentEvent,
  presentRead,
  presentStub,
} from './agreements.presenter.ts';
import {
  creatorRightsFirst,
  countMine,
  getDocument,
  getInvolvedDocument,
  listHistory,
  listMine,
  listPendingAgreements,
  withLabels,
} from './agreements.service.ts';
import { createDocument, saveNewDraft, type Created } from './creating/create.service.ts';
import { textOfFile } from './files/file-text.service.ts';
import { deleteDraft, submitDraft, updateDraft } from './creating/drafts.service.ts';

/** Larger requests are not read. The configured limits are lower, and their errors name the limit. */
const UPLOAD = { maxTotalBytes: RAW_FILES_TOTAL_BYTES + 3 * CAPTURE_MAX_BYTES };

export function agreementsRoutes(app: HttpApp, ctx: Context): void {
  writingRoutes(app, ctx);
  readingRoutes(app, ctx);
}

function writingRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(
    app,
    routes.create,
    async (request) => {
      const { form } = request;
      const caller = callerOf(request);
      const { save_as_draft, target_user_char_id: targetCharId, ...rest } = form.fields;
      const { uploads, accepted_pictures, accepted_left_out, ...fields } = rest;
      const accepted = { accepted_pictures, accepted_left_out };
      const input = { fields, rawDocuments: form.files.raw_documents, uploads, accepted };
      const command = { operation: 'create', fields: form.fields, files: form.files };
      if (save_as_draft) {
        const created = await oncePerKey<Created>(ctx, caller, command, (remember) =>
          saveNewDraft(ctx, caller, { ...input, targetCharId }, remember),
        );
        return { message: 'The draft was saved.', ...created };
      }
      const images = requiredImages(form);
      const created = await oncePerKey<Created>(ctx, caller, command, (remember) =>
        createDocument(ctx, caller, { ...input, images }, remember),
      );
      return { message: 'The document was created.', ...created };
    },
    UPLOAD,
  );

  mountRoute(
    app,
    routes.updateDraft,
    async ({ params, form, ...request }) => {
      const caller = callerOf(request);
      const { target_user_char_id: targetCharId, keep_files: keepFiles, ...rest } = form.fields;
      const { uploads, accepted_pictures, accepted_left_out, ...fields } = rest;
      const accepted = { accepted_pictures, accepted_left_out };
      const files = { rawDocuments: form.files.raw_documents, uploads, accepted };
      const isCurrent = (version: number) => ifMatch(request.req, `"${version}"`) !== 'stale';
      const command = { operation: `update ${params.id}`, fields: form.fields, files: form.files };
      await oncePerKey<{ document_id: string }>(ctx, caller, command, (remember) =>
        updateDraft(
          ctx,
          caller,
          params.id,
          { fields, targetCharId, keepFiles, isCurrent, ...files },
          remember,
        ),
      );
      const record = await getInvolvedDocument(ctx, caller.userId, params.id);
      return presentRead(record, caller.userId, ctx.signFor(request.principal));
    },
    { ...UPLOAD, ...creatorRightsFirst(ctx) },
  );

  mountRoute(
    app,
    routes.submitDraft,
    async ({ params, form, ...request }) => {
      const caller = callerOf(request);
      const command = { operation: `submit ${params.id}`, fields: form.fields, files: form.files };
      const created = await oncePerKey<Created>(ctx, caller, command, (remember) =>
        submitDraft(
          ctx,
          caller,
          params.id,
          { images: requiredImages(form), accepted: form.fields },
          remember,
        ),
      );
      return { message: 'The document was created.', ...created };
    },
    creatorRightsFirst(ctx),
  );

  mountRoute(app, routes.deleteDraft, async ({ params, ...request }) => {
    await deleteDraft(ctx, callerOf(request), params.id);
    return { message: 'The draft was thrown away.' };
  });
}

function readingRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.myDocuments, async ({ principal, query, reply }) => {
    const sign = ctx.signFor(principal);
    const { records, nextCursor } = await listMine(ctx, principal.userId, query);
    if (nextCursor) reply.header('x-next-cursor', nextCursor);
    return records.map((record) => presentDocument(record, principal.userId, sign));
  });

  mountRoute(app, routes.documentsPage, async ({ principal, query }) => {
    const sign = ctx.signFor(principal);
    const { records, nextCursor } = await listMine(ctx, principal.userId, query);
    const items = records.map((record) => presentDocument(record, principal.userId, sign));
    return { items, next_cursor: nextCursor };
  });

  mountRoute(app, routes.documentCounts, async ({ principal }) =>
    presentOwnCounts(await countMine(ctx, principal.userId)),
  );

  mountRoute(app, routes.pendingAgreements, async ({ principal }) => {
    const sign = ctx.signFor(principal);
    const records = await listPendingAgreements(ctx, principal.userId);
    return records.map((record) => presentDocument(record, principal.userId, sign));
  });

  mountRoute(app, routes.get, async ({ principal, params }) => {
    const { record, involved } = await getDocument(ctx, principal.userId, params.id);
    if (!involved) return presentStub(record);
    const [labelled = record] = await withLabels(ctx, principal.userId, [record]);
    return presentRead(labelled, principal.userId, ctx.signFor(principal));
  });

  mountRoute(app, routes.fileText, async ({ principal, params }) =>
    textOfFile(ctx, principal.userId, params.id, params.fileId),
  );

  mountRoute(app, routes.events, async ({ principal, params }) => {
    const { events, isCreator } = await listHistory(ctx, principal.userId, params.id);
    return events.map((event) => presentEvent(event, isCreator));
  });
}
