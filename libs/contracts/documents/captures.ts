/** Live photos: the server binds each to a document, a user and a step before a form sends it. */
import { Type, type Static } from 'typebox';
import { defineRoute, IsoDateTime } from '../kit.ts';

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hex' });

/** The purpose of the photo, as the form names it. */
export const CaptureStep = Type.Union([Type.Literal('profile_pic'), Type.Literal('eye')]);
export type CaptureStep = Static<typeof CaptureStep>;

/**
 * `live` if the server's record of a capture has exactly this photo; else `device` if the form says that the
 * user chose a file; else `unstated`. All are accepted.
 */
export const PhotoSource = Type.Union([
  Type.Literal('live'),
  Type.Literal('device'),
  Type.Literal('unstated'),
]);
export type PhotoSource = Static<typeof PhotoSource>;

/** How a signature was made, as stated by the form; the server cannot check it. */
export const SignMethod = Type.Union([
  Type.Literal('drawn'),
  Type.Literal('typed'),
  Type.Literal('uploaded'),
  Type.Literal('unstated'),
]);
export type SignMethod = Static<typeof SignMethod>;

/** Optional fields of every form with images, with the source of the images as the client knows it. */
export const captureFields = {
  profile_pic_source: Type.Optional(Type.Enum(['camera', 'device'])),
  eye_source: Type.Optional(Type.Enum(['camera', 'device'])),
  sign_method: Type.Optional(Type.Enum(['drawn', 'typed', 'uploaded'])),
};

/** How a party's verification was given. */
export const Evidence = Type.Object({
  profile_pic_source: PhotoSource,
  eye_source: PhotoSource,
  sign_method: SignMethod,
  verified_at: IsoDateTime,
});
export type Evidence = Static<typeof Evidence>;

const PhotoRecord = Type.Object({ sha256: Sha256, source: PhotoSource });

/** The details of a verification's photos and signature in the history. */
export const PhotosRecord = Type.Object({
  profile_pic: PhotoRecord,
  eye: PhotoRecord,
  sign: Type.Object({ sha256: Sha256, method: SignMethod }),
  /**
   * Similarity of the eyes on both photos, 0 to 100: weak evidence, shown to the primary user and admins
   * only. Absent if nothing was compared.
   */
  eye_agreement: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
});
export type PhotosRecord = Static<typeof PhotosRecord>;

export const capturesRoutes = {
  openCapture: defineRoute({
    method: 'POST',
    path: '/documents/verification/captures',
    access: 'user',
    summary: 'A nonce for one photo that is about to be taken; valid once and for 5 minutes',
    body: Type.Object({
      step: CaptureStep,
      /** The document of the photo, by id; */
      document_id: Type.Optional(Type.String({ format: 'uuid' })),
      /** or by code, when joining. Both are absent for a document that is being created. */
      document_code: Type.Optional(Type.String({ minLength: 1, maxLength: 24 })),
      /** For adding a passkey; then no document is named. */
      signing_key: Type.Optional(Type.Literal(true)),
    }),
    response: { 201: Type.Object({ nonce: Type.String(), expires_at: IsoDateTime }) },
  }),
  bindCapture: defineRoute({
    method: 'PUT',
    path: '/documents/verification/captures',
    access: 'user',
    summary:
      'Bind the photo that was taken to its nonce; 409 for one that is used, too old or not the caller’s',
    body: Type.Object({ nonce: Type.String({ maxLength: 100 }), sha256: Sha256 }),
    response: { 200: Type.Object({ bound: Type.Boolean() }) },
  }),
} as const;
