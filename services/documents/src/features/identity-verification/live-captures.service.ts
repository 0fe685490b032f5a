/** Binds photos to their purpose when they are taken. A photo without a binding is also accepted. */
import { createHash, randomBytes } from 'node:crypto';
import { readCode } from '@karaar/contracts/typed/read';
import type { CaptureStep } from '@karaar/contracts/documents/http';
import { badRequest, conflict } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import { bindPhoto, insertCapture, NONCE_SECONDS } from './live-captures.repository.ts';

/** A photo's purpose: a document by its id, a document to join by its code, a new document, a passkey. */
export const captureSubject = {
  document: (id: string): string => `document ${id}`,
  joining: (code: string): string => `join ${readCode(code) ?? code.toUpperCase()}`,
  creating: 'create',
  signingKey: 'signing-key',
} as const;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the purpose that a request names. Throws 400 for more than one. */
export function subjectOf(request: {
  document_id?: string;
  document_code?: string;
  signing_key?: true;
}): string {
  const { document_id: id, document_code: code } = request;
  if (request.signing_key && (id ?? code) !== undefined)
    throw badRequest('ambiguous_capture', 'A photo for a passkey is not for a document.');
  if (id !== undefined && code !== undefined)
    throw badRequest('ambiguous_capture', 'Name the document by its id or by its code, not by both.');
  if (id !== undefined) return captureSubject.document(id);
  if (code !== undefined) return captureSubject.joining(code);
  return request.signing_key ? captureSubject.signingKey : captureSubject.creating;
}

/** Issues a nonce. For a code, the answer does not reveal whether a document has it. */
export async function openCapture(
  ctx: Context,
  userId: string,
  { step, subject }: { step: CaptureStep; subject: string },
): Promise<{ nonce: string; expires_at: string }> {
  const nonce = randomBytes(24).toString('base64url');
  await insertCapture(ctx.db, { nonceSha256: sha256(nonce), userId, subject, step });
  return { nonce, expires_at: new Date(Date.now() + NONCE_SECONDS * 1_000).toISOString() };
}

/** Throws 409 for a nonce that is used, expired, unknown or another user's, without saying which. */
export async function bindCapture(
  ctx: Context,
  userId: string,
  { nonce, sha256: photoSha256 }: { nonce: string; sha256: string },
): Promise<{ bound: boolean }> {
  const bound = await bindPhoto(ctx.db, { nonceSha256: sha256(nonce), userId, photoSha256 });
  if (!bound) throw conflict('capture_not_open', 'This photo can no longer be used. Please take it again.');
  return { bound };
}
