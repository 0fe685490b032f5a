/**
 * Files uploaded while the user fills in a form: meanwhile they are converted to the pages that will be
 * sealed, and compared.
 */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime, MessageBody, nullable } from '../kit.ts';
import { RAW_FILE_MAX_BYTES } from '../limits.ts';
import { LeftOut, PictureReason } from './shapes.ts';

/** Why a file is rejected; each code has a text in every language. */
export const FileRefusal = Type.Union([
  Type.Literal('file_empty'),
  Type.Literal('file_kind'),
  Type.Literal('file_locked'),
  Type.Literal('file_broken'),
  Type.Literal('file_letters'),
  Type.Literal('file_cipher'),
  Type.Literal('file_fonts'),
  Type.Literal('file_collection'),
  Type.Literal('file_attachments'),
  Type.Literal('file_xfa'),
  Type.Literal('file_macros'),
  Type.Literal('file_large'),
]);
export type FileRefusal = Static<typeof FileRefusal>;

/** A file of the caller that does not belong to a document yet. */
export const Upload = Type.Object({
  upload_id: Type.String(),
  name: Type.String(),
  size: Type.Integer(),
  sha256: Type.String(),
  state: Type.Union([Type.Literal('checking'), Type.Literal('ready'), Type.Literal('refused')]),
  /** Number of pages, once known. */
  pages: nullable(Type.Integer()),
  /** Number of pages that were compared with how viewers show the file. */
  pages_done: Type.Integer(),
  /**
   * Pages, from 1, that would be sealed as pictures, because a copy of their content would look different. A
   * document accepts such a file only if its sender agrees (`accepted_pictures`).
   */
  pictures: Type.Array(Type.Integer({ minimum: 1 })),
  /** The reason for each of them, in order. */
  picture_reasons: Type.Array(PictureReason),
  /**
   * Parts of the file that its sealed pages would not contain. A document accepts such a file only if its
   * sender agrees (`accepted_left_out`).
   */
  left_out: Type.Array(LeftOut),
  /** Its pages as they will be sealed, as a PDF. */
  preview: nullable(Type.String()),
  thumbnail: nullable(Type.String()),
  /** For a rejected file: the reason, as a code and in English. */
  code: nullable(FileRefusal),
  detail: nullable(Type.String()),
  expires_at: IsoDateTime,
});
export type Upload = Static<typeof Upload>;

/** For `create` and `updateDraft`: files that were uploaded before the form. */
export const uploadsField = Type.Optional(
  Type.String({
    maxLength: 2_000,
    description:
      'JSON list of the upload_id of each file that was sent before; they stand after raw_documents',
  }),
);

/** For `create`, `updateDraft` and `submit`. */
export const acceptedPicturesField = Type.Optional(
  Type.String({
    maxLength: 3_000,
    description:
      'JSON list of the sha256 of each file of which the sender accepts that pages are kept as pictures; without it a document of such a file is refused with 422 pictures_not_accepted',
  }),
);

/** For `create`, `updateDraft` and `submit`. */
export const acceptedLeftOutField = Type.Optional(
  Type.String({
    maxLength: 3_000,
    description:
      'JSON list of the sha256 of each file of which the sender accepts that parts are left out (left_out); without it a document of such a file is refused with 422 left_out_not_accepted',
  }),
);

export const uploadsRoutes = {
  upload: defineRoute({
    method: 'POST',
    path: '/documents/uploads',
    access: 'user',
    summary:
      'Send a file before the form: it is made the pages that will be sealed and compared with how viewers show it. It is kept for a day',
    multipart: {
      fields: Type.Object({}),
      files: { file: { required: true, maxBytes: RAW_FILE_MAX_BYTES, accept: ['any'] } },
    },
    response: { 201: Upload },
    timeoutMs: 120_000,
  }),
  getUpload: defineRoute({
    method: 'GET',
    path: '/documents/uploads/:id',
    access: 'user',
    summary: 'How far a file of the caller is: being checked, ready, or refused and why',
    params: IdParams,
    response: { 200: Upload },
  }),
  deleteUpload: defineRoute({
    method: 'DELETE',
    path: '/documents/uploads/:id',
    access: 'user',
    summary: 'Throw a file of the caller away that no document has',
    params: IdParams,
    response: { 200: MessageBody },
  }),
} as const;
