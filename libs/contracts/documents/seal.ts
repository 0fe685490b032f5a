/** The sealing certificate as admins see it: nobody can be sealed for once it has ended. */
import { Type, type Static } from 'typebox';
import { defineRoute, IsoDateTime, SUPPORTERS } from '../kit.ts';

export const SealState = Type.Object({
  signer: Type.String(),
  /** Hex SHA-256 of the certificate. */
  fingerprint: Type.String(),
  not_after: IsoDateTime,
  /** Whole days until then; negative once it has ended. */
  days_left: Type.Integer(),
  /** It ends so soon that another one must be got now. */
  ends_soon: Type.Boolean(),
  /** PAdES level that seals reach at the moment. */
  level: Type.Union([Type.Literal('B-B'), Type.Literal('B-T'), Type.Literal('B-LT')]),
  /** Made by this installation itself, for development. */
  development: Type.Boolean(),
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
