/** The documents service's HTTP contract: agreements, parties, finalization, pricing (spec §7 Documents). */
import { Type, type Static } from 'typebox';
import {
  defineRoute,
  IdAndUserParams,
  IdParams,
  IsoDate,
  IsoDateTime,
  MessageBody,
  nullable,
  Rupees,
} from '../kit.ts';
import { CAPTURE_MAX_BYTES, RAW_FILE_MAX_BYTES, RAW_FILES_MAX_COUNT } from '../limits.ts';
import { pricingRoutes } from './pricing.ts';

export const DocumentStatus = Type.Union([
  Type.Literal('draft'),
  Type.Literal('pending'),
  Type.Literal('pending_approval'),
  Type.Literal('approved'),
  Type.Literal('finalized'),
  Type.Literal('rejected'),
]);
export type DocumentStatus = Static<typeof DocumentStatus>;

export const PageDetail = Type.Object({
  page_no: Type.Integer({ minimum: 1 }),
  description: Type.String({ maxLength: 500 }),
});

/** How far one party is (design §3 Parties). */
export const PartyState = Type.Union([
  Type.Literal('primary'),
  Type.Literal('invited'),
  Type.Literal('requested'),
  Type.Literal('approved'),
  Type.Literal('rejected'),
]);

export const Party = Type.Object({
  user_id: Type.String(),
  char_id: Type.String(),
  name: Type.String(),
  state: PartyState,
  approved: Type.Boolean(),
  verified: Type.Boolean(),
});

const Approval = Type.Object({
  approved: Type.Boolean(),
  approved_at: nullable(IsoDateTime),
  is_primary: Type.Boolean(),
});

/** Progress of the durable finalization job; null when none was started. */
export const Finalization = Type.Object({
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  detail: nullable(Type.String()),
});

/** A document as an involved user sees it. File paths are signed for the caller. */
export const Document = Type.Object({
  _id: Type.String(),
  document_id: Type.String(),
  name: Type.String(),
  document_code: Type.String(),
  status: DocumentStatus,
  blockchain: Type.Boolean(),
  location: nullable(Type.String()),
  start_date: nullable(Type.String()),
  end_date: nullable(Type.String()),
  created_at: IsoDateTime,
  description: nullable(Type.String()),
  page_details: Type.Array(PageDetail),
  upload_raw_docs: Type.Array(Type.String()),
  final_docs: Type.Array(Type.String()),
  /** What lies behind each path of `upload_raw_docs`, in the same order. */
  raw_files: Type.Array(
    Type.Object({
      name: Type.String(),
      mime: Type.String(),
      size: Type.Integer(),
      sha256: Type.String(),
      path: Type.String(),
    }),
  ),
  primary_user: Type.String(),
  primary_user_name: Type.String(),
  involved_users: Type.Array(Type.String()),
  user_approvals: Type.Record(Type.String(), Approval),
  parties: Type.Array(Party),
  total_amount: Rupees,
  duration_days: Type.Integer(),
  finalization: nullable(Finalization),
});
export type Document = Static<typeof Document>;

/** What anybody else sees: enough for the Join button (design §3 Who sees what). */
export const DocumentStub = Type.Object({
  _id: Type.String(),
  document_id: Type.String(),
  name: Type.String(),
  status: DocumentStatus,
  primary_user_name: Type.String(),
});

const capture = (required: boolean) =>
  ({ required, maxBytes: CAPTURE_MAX_BYTES, accept: ['image'] }) as const;

const rawDocuments = {
  maxBytes: RAW_FILE_MAX_BYTES,
  maxCount: RAW_FILES_MAX_COUNT,
  accept: ['pdf', 'doc', 'docx', 'image'],
} as const;

const Code8Text = Type.String({ minLength: 1, maxLength: 8 });

/** One line of a document's append-only history. */
export const DocumentEvent = Type.Object({
  _id: Type.String(),
  type: Type.String(),
  actor_id: nullable(Type.String()),
  actor_name: Type.String(),
  at: IsoDateTime,
  detail: Type.String(),
});

export type DocumentStub = Static<typeof DocumentStub>;

export const documentsRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/documents/create',
    access: 'user',
    summary: "Create a document from raw files; the three images are the creator's verification",
    multipart: {
      fields: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 200 }),
        location: Type.Optional(Type.String({ maxLength: 200 })),
        start_date: Type.Optional(Type.Union([IsoDate, Type.Literal('')])),
        end_date: Type.Optional(Type.Union([IsoDate, Type.Literal('')])),
        description: Type.Optional(Type.String({ maxLength: 5_000 })),
        page_details: Type.Optional(
          Type.String({ maxLength: 100_000, description: 'JSON list of {page_no, description}' }),
        ),
      }),
      files: {
        raw_documents: { ...rawDocuments, required: true },
        profile_pic: capture(true),
        sign: capture(true),
        eye: capture(true),
      },
    },
    response: {
      201: Type.Object({ message: Type.String(), document_id: Type.String(), document_code: Type.String() }),
    },
    timeoutMs: 120_000,
  }),
  join: defineRoute({
    method: 'POST',
    path: '/documents/join',
    access: 'user',
    summary: "Ask to join a document by its code; waits for the primary user's approval",
    multipart: {
      fields: Type.Object({ document_code: Code8Text }),
      files: { profile_pic: capture(true), sign: capture(true), eye: capture(true) },
    },
    response: { 202: Type.Object({ message: Type.String(), document_id: Type.String() }) },
    timeoutMs: 60_000,
  }),
  myDocuments: defineRoute({
    method: 'GET',
    path: '/documents/my-documents',
    access: 'user',
    summary: 'The documents that the caller created or is involved in, newest first',
    query: Type.Object({
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    response: { 200: Type.Array(Document) },
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
    }),
    response: { 200: MessageBody },
  }),
  ...pricingRoutes,
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
  respondAgreement: defineRoute({
    method: 'POST',
    path: '/documents/:id/respond-agreement',
    access: 'user',
    summary: 'Accept an invitation with all four images, or reject it',
    params: IdParams,
    multipart: {
      fields: Type.Object({ response: Type.Union([Type.Literal('accept'), Type.Literal('reject')]) }),
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
    summary: "Verify oneself with live images and set one's own approval",
    params: IdParams,
    multipart: {
      fields: Type.Object({}),
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
    summary: "The primary user's approval of the document",
    params: IdAndUserParams,
    response: { 200: Document },
  }),
  addUser: defineRoute({
    method: 'POST',
    path: '/documents/:id/add-user',
    access: 'user',
    summary: 'Invite a further user to a document of the caller',
    params: IdParams,
    body: Type.Object({ target_user_char_id: Code8Text }),
    response: { 200: MessageBody },
  }),
  approveUser: defineRoute({
    method: 'PUT',
    path: '/documents/:id/approve-user/:userId',
    access: 'user',
    summary: "The primary user's approval of a verified party",
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
        final_documents: { required: false, maxBytes: RAW_FILE_MAX_BYTES, accept: ['any'] },
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
