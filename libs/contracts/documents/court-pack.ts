/**
 * The evidence for a dispute, for a party or an admin: the sealed agreement with all data that others need to
 * check it.
 */
import { Type } from 'typebox';
import { ActReason } from '../admin.ts';
import { defineRoute, IdParams, SUPER_ADMINS } from '../kit.ts';

export const courtPackRoutes = {
  courtPack: defineRoute({
    method: 'POST',
    path: '/documents/:id/court-pack',
    access: 'user',
    summary:
      'A ZIP for a dispute, for involved users: sealed PDF, offline receipt, own evidence, timeline, hash report and drafts of the certificate under section 63(4) BSA',
    params: IdParams,
    body: Type.Object({
      /** Stored with the time; hidden from the other parties. */
      reason: Type.String({ minLength: 10, maxLength: 500 }),
    }),
    response: { 200: 'binary' },
    timeoutMs: 60_000,
    heavy: true,
  }),
  adminCourtPack: defineRoute({
    method: 'POST',
    path: '/admin/documents/:id/court-pack',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary:
      'The same for an admin: the record with hashes alone; under an order of a court or an authority also the sealed PDF, the files and the photos of all parties; recorded before it leaves',
    params: IdParams,
    body: Type.Object({
      reason: ActReason,
      /** Number and issuer of the court order that requires the files and photos. */
      order: Type.Optional(Type.String({ minLength: 5, maxLength: 120 })),
    }),
    response: { 200: 'binary' },
    timeoutMs: 60_000,
    heavy: true,
  }),
} as const;
