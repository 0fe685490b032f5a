import { ApiError, call } from '@karaar/api-client';
import { documentsRoutes, type CaptureStep } from '@karaar/contracts/documents/http';
import { useCallback, useEffect, useRef } from 'react';

/**
 * The purpose of the photo: a document by its id, or by its code when joining; neither for a new document or
 * a passkey.
 */
export type CaptureAbout = { document_id?: string; document_code?: string; signing_key?: true };

/** A nonce is valid for 5 minutes; it is renewed while the camera stays open. */
const RENEW_MS = 4 * 60_000;

/**
 * Binds a photo to its purpose: requests a nonce when the camera opens, and sends the photo's hash with it.
 * An unbound photo is sent anyway, and recorded as uploaded.
 */
export function useLiveBinding(
  step: CaptureStep,
  { document_id, document_code, signing_key }: CaptureAbout,
): (photo: File) => Promise<void> {
  const issue = useCallback(() => {
    const body = {
      step,
      ...(document_id === undefined ? {} : { document_id }),
      ...(document_code === undefined ? {} : { document_code }),
      ...(signing_key ? { signing_key } : {}),
    };
    return call(documentsRoutes.openCapture, { body }).then((answer) => answer.nonce, refused);
  }, [step, document_id, document_code, signing_key]);
  const nonce = useRef<Promise<string | null>>(Promise.resolve(null));
  useEffect(() => {
    const renew = () => {
      nonce.current = issue();
    };
    renew();
    const timer = setInterval(renew, RENEW_MS);
    return () => clearInterval(timer);
  }, [issue]);

  return async (photo) => {
    // Hashes need a secure context.
    if (!('subtle' in crypto)) return;
    const sha256 = await sha256Of(photo);
    if (await bound(await nonce.current, sha256)) return;
    // The nonce is missing or expired, for example after the device slept.
    await bound(await issue(), sha256);
  };
}

async function sha256Of(photo: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await photo.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function bound(nonce: string | null, sha256: string): Promise<boolean> {
  if (nonce === null) return false;
  const answer = await call(documentsRoutes.bindCapture, { body: { nonce, sha256 } }).catch(refused);
  return answer !== null;
}

/** After a refusal or a network error the photo stays unbound; other errors are bugs. */
function refused(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
