/** Checking a sealed PDF without an account (design §3 Blockchain badge), by the file or by its document code. */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime, nullable } from '../kit.ts';
import { VERIFY_MAX_BYTES } from '../limits.ts';

/**
 * One thing that was checked. `file`: in the form in which Karaar seals; `coverage`: the seal covers the whole
 * file and allows no change; `signature`: not a byte differs; `certificate`: whose, valid then, from a trusted
 * root; `timestamp`: attested by an authority (when there is one); `revocation`: no certificate
 * was revoked then, by what the file itself holds (when it does); `logged`: in the transparency log;
 * `checkpoint`: the log has signed it; `cosigned`: a witness has seen it (when one has).
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
  /** In plain words. */
  detail: Type.String(),
});

export const Verification = Type.Object({
  /** True only when every check that applies holds. */
  valid: Type.Boolean(),
  checks: Type.Array(VerificationCheck),
  /** Nothing in the file claims to be a seal of Karaar: it is some other file, not a false one. */
  unsealed: Type.Optional(Type.Boolean()),
  /** SHA-256 of the file, hex. */
  sha256: Type.String(),
  document_code: nullable(Type.String()),
  /** The time that the seal states, and who sealed; null unless the seal holds. */
  sealed_at: nullable(IsoDateTime),
  sealed_by: nullable(Type.String()),
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
