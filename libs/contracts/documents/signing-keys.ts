/**
 * Passkeys with which users sign their approvals (docs/adr/0081): the routes that enrol, list, remove and use
 * them.
 */
import { Type, type Static } from 'typebox';
import {
  CreationOptions,
  PasskeyAssertion,
  PasskeyRegistration,
  RequestOptions,
} from '../auth/passkeys-http.ts';
import { defineRoute, IdParams, IsoDateTime, MessageBody, nullable } from '../kit.ts';
import { CAPTURE_MAX_BYTES } from '../limits.ts';

const Id = Type.String({ format: 'uuid' });

const facePhoto = { required: true, maxBytes: CAPTURE_MAX_BYTES, accept: ['image'] } as const;

const SigningKey = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  sha256: Type.String({ description: 'hex, of the public key in COSE: how the transparency log names it' }),
  created_at: IsoDateTime,
  last_used_at: nullable(IsoDateTime),
  /** True if the passkey is synchronised between devices, as phones and password managers do. */
  synced: Type.Boolean(),
  /** True once its enrolment is in the transparency log; from then on it can sign. */
  logged: Type.Boolean(),
});
export type SigningKey = Static<typeof SigningKey>;

/** A passkey's signature of a statement. */
export const SignedAnswer = Type.Object({ statement_id: Id, used: PasskeyAssertion });
export type SignedAnswer = Static<typeof SignedAnswer>;

export const signingKeysRoutes = {
  signingKeys: defineRoute({
    method: 'GET',
    path: '/documents/signing-keys',
    access: 'user',
    summary: 'The own passkeys for signing, oldest first',
    response: { 200: Type.Array(SigningKey) },
  }),
  beginSigningKey: defineRoute({
    method: 'POST',
    path: '/documents/signing-keys/begin',
    access: 'user',
    summary:
      'Begin to add a passkey for signing, with a face photo that was bound while it was taken; 409 `too_many_keys`',
    multipart: {
      fields: Type.Object({}),
      files: { profile_pic: facePhoto },
    },
    response: { 200: Type.Object({ ceremony_id: Type.String(), add: CreationOptions }) },
    timeoutMs: 60_000,
  }),
  addSigningKey: defineRoute({
    method: 'POST',
    path: '/documents/signing-keys',
    access: 'user',
    summary: 'Add the passkey that the device made; the transparency log gets an entry of it',
    body: Type.Object({
      ceremony_id: Id,
      added: PasskeyRegistration,
      name: Type.String({ minLength: 1, maxLength: 60 }),
    }),
    response: { 201: SigningKey },
  }),
  removeSigningKey: defineRoute({
    method: 'DELETE',
    path: '/documents/signing-keys/:id',
    access: 'user',
    summary: 'Remove an own passkey for signing; the transparency log gets an entry of that',
    params: IdParams,
    response: { 200: MessageBody },
  }),
  signingStatement: defineRoute({
    method: 'POST',
    path: '/documents/:id/signing-statement',
    access: 'user',
    summary: 'The statement of the own approval for a passkey to sign: once, within five minutes',
    params: IdParams,
    body: Type.Object({ key_id: Id }),
    response: {
      200: Type.Object({ statement_id: Type.String(), statement: Type.String(), use: RequestOptions }),
    },
  }),
} as const;
