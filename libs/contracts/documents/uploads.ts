/** Files sent while a form is still filled in: made the pages that will be sealed, and compared, meanwhile. */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime, MessageBody, nullable } from '../kit.ts';
import { RAW_FILE_MAX_BYTES } from '../limits.ts';
import { LeftOut, PictureReason } from './shapes.ts';

/** Why a file is not taken; each has a text in every language. */
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

/** A file of the caller's that no document has yet. */
export const Upload = Type.Object({
  upload_id: Type.String(),
  name: Type.String(),
  size: Type.Integer(),
  sha256: Type.String(),
  state: Type.Union([Type.Literal('checking'), Type.Literal('ready'), Type.Literal('refused')]),
  /** How many it has, as soon as that is known. */
  pages: nullable(Type.Integer()),
  /** How many of them were compared with how viewers show the file. */
  pages_done: Type.Integer(),
  /**
   * Pages, from 1, that would be sealed as pictures, because their content could not be kept as it looks. A document is
   * made of such a file only when its sender accepts that (`accepted_pictures`).
   */
  pictures: Type.Array(Type.Integer({ minimum: 1 })),
  /** Why, of each of them in their order. */
  picture_reasons: Type.Array(PictureReason),
  /**
   * Parts of the file that its sealed pages would not hold. A document is made of such a file only when its sender accepts
   * that (`accepted_left_out`).
   */
  left_out: Type.Array(LeftOut),
  /** Its pages as they will be sealed, as a PDF. */
  preview: nullable(Type.String()),
  thumbnail: nullable(Type.String()),
  /** Of a refused one: why, as a code and in English. */
  code: nullable(FileRefusal),
  detail: nullable(Type.String()),
  expires_at: IsoDateTime,
});
export type Upload = Static<typeof Upload>;

/** Of `create` and `updateDraft`: files that were sent before the form. */
export const uploadsField = Type.Optional(
  Type.String({
    maxLength: 2_000,
    description:
      'JSON list of the upload_id of each file that was sent before; they stand after raw_documents',
  }),
);

/** Of `create`, `updateDraft` and `submit`. */
export const acceptedPicturesField = Type.Optional(
  Type.String({
    maxLength: 3_000,
    description:
      'JSON list of the sha256 of each file of which the sender accepts that pages are kept as pictures; without it a document of such a file is refused with 422 pictures_not_accepted',
  }),
);

/** Of `create`, `updateDraft` and `submit`. */
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
