/** The documents service's HTTP contract: agreements, parties, finalization, pricing (spec §7 Documents). */
import { Type } from 'typebox';
import {
  defineRoute,
  IdAndUserParams,
  IdParams,
  IsoDate,
  MessageBody,
  nullable,
  type FileRule,
} from '../kit.ts';
import {
  CAPTURE_MAX_BYTES,
  FINAL_FILES_MAX_COUNT,
  LANGUAGES,
  RAW_FILE_MAX_BYTES,
  RAW_FILES_MAX_COUNT,
} from '../limits.ts';
import { adminDocumentsRoutes } from './admin.ts';
import { captureFields, capturesRoutes } from './captures.ts';
import { textMessagesRoutes } from './text-messages.ts';
import { pricingRoutes } from './pricing.ts';
import { readingRoutes } from './reading.ts';
import { SignedAnswer } from './signing-keys.ts';
import {
  Document,
  DocumentCounts,
  DocumentEvent,
  DocumentSort,
  DocumentStatus,
  DocumentStub,
  NoticeLanguage,
  ReminderRhythm,
  Sha256Hex,
} from './shapes.ts';
import { acceptedLeftOutField, acceptedPicturesField, uploadsField, uploadsRoutes } from './uploads.ts';
import { workRoutes } from './work.ts';

export * from './admin.ts';
export * from './captures.ts';
export * from './reading.ts';
export * from './shapes.ts';
export * from './uploads.ts';
export * from './work.ts';

const capture = (required: boolean) =>
  ({ required, maxBytes: CAPTURE_MAX_BYTES, accept: ['image'] }) as const;

const rawDocuments = {
  maxBytes: RAW_FILE_MAX_BYTES,
  maxCount: RAW_FILES_MAX_COUNT,
  accept: ['pdf', 'doc', 'docx', 'image'],
} as const satisfies FileRule;

/** In any spelling that people use: `7T0H NGEC`, in either case, with digits of any script. */
const Code8Text = Type.String({ minLength: 1, maxLength: 24 });

const details = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  location: Type.Optional(Type.String({ maxLength: 200 })),
  start_date: Type.Optional(Type.Union([IsoDate, Type.Literal('')])),
  end_date: Type.Optional(Type.Union([IsoDate, Type.Literal('')])),
  description: Type.Optional(Type.String({ maxLength: 5_000 })),
  page_details: Type.Optional(
    Type.String({ maxLength: 100_000, description: 'JSON list of {page_no, description}' }),
  ),
};

/** The reason for a rejection or withdrawal, in the party's own words. */
const Reason = Type.Optional(Type.String({ maxLength: 500 }));

/**
 * The `content_hash` of the document that the user read; the approval of another content gets 409
 * `document_changed`.
 */
const ContentRead = Type.Optional(Sha256Hex);

/**
 * The `parties_hash` of the document that the user saw; 409 `parties_changed` if the parties have changed
 * since.
 */
const PartiesShown = Type.Optional(Sha256Hex);

const Created = Type.Object({
  message: Type.String(),
  document_id: Type.String(),
  document_code: Type.String(),
});

const ListQuery = Type.Object({
  /** Any part of name, code, location or a party's name. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(Type.Union([DocumentStatus, Type.Literal('')])),
  /** True for archived documents only, false for the others only. */
  archived: Type.Optional(Type.Boolean()),
  /** Only documents with this label of the caller. */
  label: Type.Optional(Type.String({ maxLength: 100 })),
  sort: Type.Optional(DocumentSort),
  cursor: Type.Optional(Type.String({ maxLength: 600 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});

export const documentsRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/documents/create',
    access: 'user',
    summary: "Create a document from raw files; the three images are the creator's verification",
    multipart: {
      fields: Type.Object({
        ...details,
        ...captureFields,
        /** Saves a private draft: images are neither required nor stored, files may follow later. */
        save_as_draft: Type.Optional(Type.Boolean()),
        target_user_char_id: Type.Optional(Type.Union([Code8Text, Type.Literal('')])),
        uploads: uploadsField,
        accepted_pictures: acceptedPicturesField,
        accepted_left_out: acceptedLeftOutField,
      }),
      files: {
        raw_documents: rawDocuments,
        profile_pic: capture(false),
        sign: capture(false),
        eye: capture(false),
      },
    },
    response: { 201: Created },
    timeoutMs: 120_000,
  }),
  updateDraft: defineRoute({
    method: 'PUT',
    path: '/documents/:id',
    access: 'user',
    summary:
      'Change a draft of the caller: its details, which files it keeps, further files; 412 if its content_version is not the one in If-Match',
    params: IdParams,
    multipart: {
      fields: Type.Object({
        ...details,
        target_user_char_id: Type.Optional(Type.Union([Code8Text, Type.Literal('')])),
        uploads: uploadsField,
        accepted_pictures: acceptedPicturesField,
        accepted_left_out: acceptedLeftOutField,
        keep_files: Type.Optional(
          Type.String({
            maxLength: 2_000,
            description: 'JSON list of the file_id of each file to keep; all when not sent',
          }),
        ),
      }),
      files: { raw_documents: rawDocuments },
    },
    response: { 200: Document },
    timeoutMs: 120_000,
  }),
  submitDraft: defineRoute({
    method: 'POST',
    path: '/documents/:id/submit',
    access: 'user',
    summary: "Submit a draft of the caller; the three images are the creator's verification",
    params: IdParams,
    multipart: {
      fields: Type.Object({
        ...captureFields,
        accepted_pictures: acceptedPicturesField,
        accepted_left_out: acceptedLeftOutField,
      }),
      files: { profile_pic: capture(true), sign: capture(true), eye: capture(true) },
    },
    response: { 200: Created },
    timeoutMs: 60_000,
  }),
  deleteDraft: defineRoute({
    method: 'DELETE',
    path: '/documents/:id',
    access: 'user',
    summary: 'Throw a draft of the caller away, with its files',
    params: IdParams,
    response: { 200: MessageBody },
  }),
  lookUpCode: defineRoute({
    method: 'POST',
    path: '/documents/join/look-up',
    access: 'user',
    takesCode: true,
    summary:
      'What a document code leads to, and whether the caller may ask to join it: before anybody is photographed',
    body: Type.Object({ document_code: Code8Text }),
    response: { 200: DocumentStub },
  }),
  join: defineRoute({
    method: 'POST',
    path: '/documents/join',
    access: 'user',
    takesCode: true,
    summary: "Ask to join a document by its code; waits for the primary user's approval",
    multipart: {
      fields: Type.Object({ document_code: Code8Text, ...captureFields }),
      files: { profile_pic: capture(true), sign: capture(true), eye: capture(true) },
    },
    response: { 202: Type.Object({ message: Type.String(), document_id: Type.String() }) },
    timeoutMs: 60_000,
  }),
  myDocuments: defineRoute({
    method: 'GET',
    path: '/documents/my-documents',
    access: 'user',
    summary:
      'The documents that the caller created or is involved in, newest first; where more follow, the header X-Next-Cursor has the cursor of the next page',
    query: ListQuery,
    response: { 200: Type.Array(Document) },
  }),
  documentsPage: defineRoute({
    method: 'GET',
    path: '/documents/my-documents/page',
    access: 'user',
    summary: 'The same list by pages, with the cursor of the next one in the answer',
    query: ListQuery,
    response: { 200: Type.Object({ items: Type.Array(Document), next_cursor: nullable(Type.String()) }) },
  }),
  documentCounts: defineRoute({
    method: 'GET',
    path: '/documents/my-documents/counts',
    access: 'user',
    summary:
      "How many documents the caller has, by status, and how many invitations wait for the caller's answer",
    response: { 200: DocumentCounts },
  }),
  pendingAgreements: defineRoute({
    method: 'GET',
    path: '/documents/pending-agreements',
    access: 'user',
    summary: 'The invitations that the caller has not answered',
    response: { 200: Type.Array(Document) },
  }),
  initiateAgreement: defineRoute({
    method: 'POST',
    path: '/documents/initiate-agreement',
    access: 'user',
    summary: 'Invite a user to a document of the caller',
    body: Type.Object({
      document_id: Type.String({ minLength: 1, maxLength: 64 }),
      target_user_char_id: Code8Text,
      notice_language: Type.Optional(NoticeLanguage),
      answer_by: Type.Optional(IsoDate),
    }),
    response: { 200: MessageBody },
  }),
  ...pricingRoutes,
  ...textMessagesRoutes,
  ...adminDocumentsRoutes,
  ...capturesRoutes,
  ...uploadsRoutes,
  ...readingRoutes,
  ...workRoutes,
  get: defineRoute({
    method: 'GET',
    path: '/documents/:id',
    access: 'user',
    summary: 'A document; others than involved users get name, status and creator only',
    params: IdParams,
    response: { 200: Type.Union([Document, DocumentStub]) },
  }),
  events: defineRoute({
    method: 'GET',
    path: '/documents/:id/events',
    access: 'user',
    summary: "A document's history, oldest first, for involved users",
    params: IdParams,
    response: { 200: Type.Array(DocumentEvent) },
  }),
  historyPdf: defineRoute({
    method: 'GET',
    path: '/documents/:id/history-pdf',
    access: 'user',
    summary:
      "A document's history as PDF, not sealed, for involved users, in `language`, else that of the account",
    params: IdParams,
    query: Type.Object({ language: Type.Optional(Type.Enum([...LANGUAGES])) }),
    response: { 200: 'binary' },
    timeoutMs: 20_000,
    heavy: true,
  }),
  respondAgreement: defineRoute({
    method: 'POST',
    path: '/documents/:id/respond-agreement',
    access: 'user',
    summary: 'Accept an invitation with all four images; or reject the document, as one invited or admitted',
    params: IdParams,
    multipart: {
      fields: Type.Object({
        response: Type.Union([Type.Literal('accept'), Type.Literal('reject')]),
        ...captureFields,
        content_hash: ContentRead,
        parties_hash: PartiesShown,
        /** For a rejection; shown to the involved users. */
        reason: Reason,
      }),
      files: {
        profile_pic: capture(false),
        thumb: capture(false),
        sign: capture(false),
        eye: capture(false),
      },
    },
    response: { 200: MessageBody },
    timeoutMs: 60_000,
  }),
  selfVerifyApprove: defineRoute({
    method: 'POST',
    path: '/documents/:id/self-verify-approve',
    access: 'user',
    summary:
      "Verify oneself with live images and set one's own approval; again until finalization, which withdraws the earlier approval",
    params: IdParams,
    multipart: {
      fields: Type.Object({
        ...captureFields,
        /** `false` verifies and does not approve. */
        approve: Type.Optional(Type.Boolean()),
        content_hash: ContentRead,
        parties_hash: PartiesShown,
      }),
      files: {
        profile_pic: capture(true),
        sign: capture(true),
        eye: capture(true),
        thumb: capture(false),
      },
    },
    response: { 200: MessageBody },
    timeoutMs: 60_000,
  }),
  approve: defineRoute({
    method: 'PUT',
    path: '/documents/:id/approve/:userId',
    access: 'user',
    summary: "The caller's own approval: of the primary user, or of an involved user who has verified",
    params: IdAndUserParams,
    body: Type.Object({
      content_hash: ContentRead,
      parties_hash: PartiesShown,
      /**
       * The signature of the user's own passkey; without it session and capture are the evidence of the
       * approval.
       */
      signed: Type.Optional(SignedAnswer),
    }),
    response: { 200: Document },
  }),
  withdraw: defineRoute({
    method: 'POST',
    path: '/documents/:id/withdraw',
    access: 'user',
    summary: "Leave another user's document before finalization, while no share of its charge is paid",
    params: IdParams,
    body: Type.Object({ reason: Reason }),
    response: { 200: MessageBody },
  }),
  cancel: defineRoute({
    method: 'POST',
    path: '/documents/:id/cancel',
    access: 'user',
    summary:
      'Cancel a document of the caller that was sent, with a reason, before finalization and while no share of its charge is paid',
    params: IdParams,
    body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500 }) }),
    response: { 200: MessageBody },
  }),
  addUser: defineRoute({
    method: 'POST',
    path: '/documents/:id/add-user',
    access: 'user',
    summary: 'Invite a further user to a document of the caller',
    params: IdParams,
    body: Type.Object({
      target_user_char_id: Code8Text,
      notice_language: Type.Optional(NoticeLanguage),
      answer_by: Type.Optional(IsoDate),
    }),
    response: { 200: MessageBody },
  }),
  askToAnswerBy: defineRoute({
    method: 'PUT',
    path: '/documents/:id/answer-by/:userId',
    access: 'user',
    summary:
      'Set, change or take away the day by which a party is asked to answer: from today to one year ahead, in India',
    params: IdAndUserParams,
    body: Type.Object({ answer_by: nullable(IsoDate) }),
    response: { 200: MessageBody },
  }),
  chooseReminders: defineRoute({
    method: 'PUT',
    path: '/documents/:id/reminders',
    access: 'user',
    summary: 'Choose how often Karaar reminds by itself of a document of the caller',
    params: IdParams,
    body: Type.Object({ reminders: ReminderRhythm }),
    response: { 200: Type.Object({ reminders: ReminderRhythm }) },
  }),
  chooseCancelLate: defineRoute({
    method: 'PUT',
    path: '/documents/:id/cancel-late',
    access: 'user',
    summary:
      'Choose whether Karaar cancels a document of the caller after an answer-by date that passes without the answer',
    params: IdParams,
    body: Type.Object({ cancel_late: Type.Boolean() }),
    response: { 200: Type.Object({ cancel_late: Type.Boolean() }) },
  }),
  approveUser: defineRoute({
    method: 'PUT',
    path: '/documents/:id/approve-user/:userId',
    access: 'user',
    summary: 'Admit a person who asked to join: from then on an involved user, who can read and then approve',
    params: IdAndUserParams,
    response: { 200: MessageBody },
  }),
  removeUser: defineRoute({
    method: 'DELETE',
    path: '/documents/:id/remove-user/:userId',
    access: 'user',
    summary: 'Take a party off a document of the caller',
    params: IdAndUserParams,
    response: { 200: MessageBody },
  }),
  finalize: defineRoute({
    method: 'PATCH',
    path: '/documents/:id/finalize',
    access: 'user',
    summary: 'Compose and seal the final PDF; 202 while the durable job still runs',
    params: IdParams,
    multipart: {
      fields: Type.Object({}),
      files: {
        final_documents: {
          required: false,
          maxBytes: RAW_FILE_MAX_BYTES,
          maxCount: FINAL_FILES_MAX_COUNT,
          accept: ['any'],
        },
      },
    },
    response: { 200: Document, 202: Document },
    timeoutMs: 60_000,
  }),
  finalPdf: defineRoute({
    method: 'GET',
    path: '/documents/:id/final-pdf',
    access: 'user',
    summary: 'The sealed PDF of a finalized document',
    params: IdParams,
    response: { 200: 'binary' },
    timeoutMs: 60_000,
  }),
} as const;
