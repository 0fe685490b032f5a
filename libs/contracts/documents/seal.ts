/** The sealing certificate as shown to admins: after its expiry no document can be sealed. */
import { Type, type Static } from 'typebox';
import { defineRoute, IsoDateTime, SUPPORTERS } from '../kit.ts';

export const SealState = Type.Object({
  signer: Type.String(),
  /** Hex SHA-256 of the certificate. */
  fingerprint: Type.String(),
  not_after: IsoDateTime,
  /** Whole days until expiry; negative afterwards. */
  days_left: Type.Integer(),
  /** True if it expires so soon that a new one must be ordered now. */
  ends_soon: Type.Boolean(),
  /** The PAdES level of new seals. */
  level: Type.Union([Type.Literal('B-B'), Type.Literal('B-T'), Type.Literal('B-LT')]),
  /** True if the installation's own authority issued it, so that PDF readers do not know it. */
  own_authority: Type.Boolean(),
});
export type SealState = Static<typeof SealState>;

export const sealRoutes = {
  adminSeal: defineRoute({
    method: 'GET',
    path: '/admin/seal',
    access: 'admin',
    roles: SUPPORTERS,
    summary: 'The certificate that seals: whose, until when, and how strong the seals are',
    response: { 200: SealState },
  }),
} as const;
