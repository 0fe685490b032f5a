/**
 * Verification of a sealed PDF without an account (design §3 Blockchain badge), by the file or by its
 * document code.
 */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime, nullable } from '../kit.ts';
import { VERIFY_MAX_BYTES } from '../limits.ts';

/**
 * One check. `file`: has the form of Karaar's seals; `coverage`: the seal covers the whole file and allows no
 * change; `signature`: every byte is unchanged; `certificate`: valid at that time, from a trusted root;
 * `timestamp`: attested by an authority (if present); `revocation`: no certificate was revoked then, by the
 * data in the file (if present); `logged`: in the transparency log; `checkpoint`: signed by the log;
 * `cosigned`: a witness has seen it (if any).
 */
export const VerificationCheck = Type.Object({
  name: Type.Union([
    Type.Literal('file'),
    Type.Literal('coverage'),
    Type.Literal('signature'),
    Type.Literal('certificate'),
    Type.Literal('timestamp'),
    Type.Literal('revocation'),
    Type.Literal('logged'),
    Type.Literal('checkpoint'),
    Type.Literal('cosigned'),
  ]),
  ok: Type.Boolean(),
  detail: Type.String(),
});

export const Verification = Type.Object({
  /** True only if every applicable check passes. */
  valid: Type.Boolean(),
  checks: Type.Array(VerificationCheck),
  /** True if the file does not claim to be sealed by Karaar: it is another file, not a forgery. */
  unsealed: Type.Optional(Type.Boolean()),
  sha256: Type.String(),
  document_code: nullable(Type.String()),
  /** The time and the signer that the seal states; null unless the seal is valid. */
  sealed_at: nullable(IsoDateTime),
  sealed_by: nullable(Type.String()),
  /** True if the installation's own authority issued the certificate: PDF readers do not know it. */
  own_authority: Type.Optional(Type.Boolean()),
  timestamp: nullable(Type.Object({ time: IsoDateTime, authority: Type.String() })),
  log: nullable(
    Type.Object({
      origin: Type.String(),
      leaf_index: Type.Integer(),
      tree_size: Type.Integer(),
      cosigned: Type.Array(Type.Object({ witness: Type.String(), time: IsoDateTime })),
    }),
  ),
});
export type Verification = Static<typeof Verification>;

export const verifyRoutes = {
  verify: defineRoute({
    method: 'POST',
    path: '/verify',
    access: 'public',
    summary: 'Check a sealed PDF: the seal, its hash and its place in the transparency log',
    multipart: {
      fields: Type.Object({}),
      files: { file: { required: true, maxBytes: VERIFY_MAX_BYTES, accept: ['any'] } },
    },
    response: { 200: Verification },
    timeoutMs: 60_000,
    heavy: true,
  }),
  verifyCode: defineRoute({
    method: 'GET',
    path: '/verify/:code',
    access: 'public',
    takesCode: true,
    summary: 'The same for the sealed PDF that is on record under a document code',
    params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 16 }) }),
    response: { 200: Verification },
    timeoutMs: 60_000,
  }),
  receipt: defineRoute({
    method: 'GET',
    path: '/documents/:id/receipt',
    access: 'user',
    summary: 'One HTML page that verifies the final PDF in a browser without network, for involved users',
    params: IdParams,
    response: { 200: 'binary' },
  }),
} as const;
