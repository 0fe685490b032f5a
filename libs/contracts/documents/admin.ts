/** The admins' part of the documents contract (spec §6, §7 Admin): list, counts, one document, biometric images. */
import { Type, type Static } from 'typebox';
import { ActReason, dayRange, NextCursor, pageOf, SeriesQuery } from '../admin.ts';
import { defineRoute, IdParams, IsoDate, IsoDateTime, nullable, SUPER_ADMINS, SUPPORTERS } from '../kit.ts';
import { Document, DocumentCounts, DocumentEvent, DocumentStatus, Party, RawFile } from './shapes.ts';

/** A file without its content: admins only see that it exists. */
const { file_id, name, mime, size, sha256, pages } = RawFile.properties;
const AdminFile = Type.Object({ file_id, name, mime, size, sha256, pages });

/** A document as shown to admins: `upload_raw_docs` and `final_docs` are names of files, never links. */
export const AdminDocument = Type.Object({ ...Document.properties, raw_files: Type.Array(AdminFile) });
export type AdminDocument = Static<typeof AdminDocument>;

export const BIOMETRIC_KINDS = ['profile_pic', 'eye', 'sign', 'thumb'] as const;
export type BiometricKind = (typeof BIOMETRIC_KINDS)[number];
const Kind = Type.Enum([...BIOMETRIC_KINDS]);

const AdminParty = Type.Object({
  ...Party.properties,
  email: Type.String(),
  phone_no: Type.String(),
  approved_at: nullable(IsoDateTime),
  /** The kinds of stored images; the images are not part of the response. */
  images: Type.Array(Kind),
});

/** The position of a finalized document in the transparency log. */
const LogPlace = Type.Object({
  sha256: Type.String(),
  sealed_at: IsoDateTime,
  leaf_index: nullable(Type.Integer()),
  tree_size: nullable(Type.Integer()),
  leaf_hash: nullable(Type.String()),
  confirmed_at: nullable(IsoDateTime),
});

const AdminApproval = Type.Object({
  user_id: Type.String(),
  approved_at: IsoDateTime,
  withdrawn_at: nullable(IsoDateTime),
  content_hash: Type.String(),
  statement_hash: Type.String(),
});

export const AdminDocumentDetail = Type.Object({
  ...AdminDocument.properties,
  parties: Type.Array(AdminParty),
  events: Type.Array(DocumentEvent),
  approvals: Type.Array(AdminApproval),
  log: nullable(LogPlace),
  finalized_at: nullable(IsoDateTime),
  paid: Type.Boolean(),
});
export type AdminDocumentDetail = Static<typeof AdminDocumentDetail>;

export const AdminDocumentSort = Type.Enum(['newest', 'oldest', 'name', '-name']);
export type AdminDocumentSort = Static<typeof AdminDocumentSort>;

const filters = {
  /**
   * A document's code or id; a user's ID, phone or e-mail to find that user's documents; otherwise a part of
   * name or place.
   */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(Type.Union([DocumentStatus, Type.Literal('')])),
  ...dayRange,
  sort: Type.Optional(AdminDocumentSort),
};
const ListQuery = Type.Object({ ...filters, ...pageOf });

export const adminDocumentsRoutes = {
  adminDocuments: defineRoute({
    method: 'GET',
    path: '/admin/documents',
    access: 'admin',
    roles: SUPPORTERS,
    summary:
      'All documents, newest first; where more follow, the header X-Next-Cursor has the cursor of the next page',
    query: ListQuery,
    response: { 200: Type.Array(AdminDocument) },
  }),
  adminDocumentsPage: defineRoute({
    method: 'GET',
    path: '/admin/documents/page',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'The same list by pages, with the cursor of the next one in the answer',
    query: ListQuery,
    response: { 200: Type.Object({ items: Type.Array(AdminDocument), next_cursor: NextCursor }) },
  }),
  adminDocumentsExport: defineRoute({
    method: 'GET',
    path: '/admin/documents/export',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'The same list as CSV, whole; recorded in the audit log',
    query: Type.Object(filters),
    response: { 200: 'binary' },
    timeoutMs: 60_000,
  }),
  adminDocumentCounts: defineRoute({
    method: 'GET',
    path: '/admin/documents/counts',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'How many documents there are by status, and by the day on which they were created',
    query: SeriesQuery,
    response: {
      200: Type.Object({
        ...Type.Omit(DocumentCounts, ['archived', 'pending_agreements', 'labels']).properties,
        by_day: Type.Array(
          Type.Object({ day: IsoDate, status: DocumentStatus, count: Type.Integer({ minimum: 0 }) }),
        ),
      }),
    },
  }),
  adminDocument: defineRoute({
    method: 'GET',
    path: '/admin/documents/:id',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'One document: parties, files by name, history, place in the log; no file and no image',
    params: IdParams,
    response: { 200: AdminDocumentDetail },
  }),
  openBiometric: defineRoute({
    method: 'POST',
    path: '/admin/documents/:id/biometrics',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Open one image by which a party verified, for a reason; recorded before the image leaves',
    params: IdParams,
    body: Type.Object({
      user_id: Type.String({ minLength: 1, maxLength: 64 }),
      kind: Kind,
      reason: ActReason,
    }),
    response: { 200: 'binary' },
  }),
} as const;
