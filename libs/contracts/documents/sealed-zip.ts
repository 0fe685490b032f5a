/** Several sealed PDFs with their receipts in one download. */
import { Type } from 'typebox';
import { defineRoute } from '../kit.ts';

export const SEALED_ZIP_MAX_DOCUMENTS = 50;

export const sealedZipRoutes = {
  sealedZip: defineRoute({
    method: 'POST',
    path: '/documents/sealed-zip',
    access: 'user',
    summary: 'A ZIP of up to 50 sealed PDFs with their offline receipts, for a user whom each involves',
    body: Type.Object({
      /** The service refuses more than 50 with a text that names the limit. */
      document_ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 1_000,
      }),
    }),
    response: { 200: 'binary' },
    timeoutMs: 60_000,
    heavy: true,
  }),
} as const;
