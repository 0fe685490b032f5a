import { ApiError, call } from '@karaar/api-client';
import { documentsRoutes, type CaptureStep } from '@karaar/contracts/documents/http';
import { useCallback, useEffect, useRef } from 'react';

/** What the photo is for: a document by its id, one to join by its code; neither for one that is being created or a passkey. */
export type CaptureAbout = { document_id?: string; document_code?: string; signing_key?: true };

/** A nonce lives 5 minutes; whoever stands before the camera longer gets another. */
const RENEW_MS = 4 * 60_000;

/**
 * Binds a photo to its purpose while it is taken: a nonce from the server when the camera opens, the photo's hash with it
 * when the photo is submitted. A photo that could not be bound is sent anyway; the record then says that it was uploaded.
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
    // Hashes are made in secure contexts only.
    if (!('subtle' in crypto)) return;
    const sha256 = await sha256Of(photo);
    if (await bound(await nonce.current, sha256)) return;
    // It was never issued, or has ended: a device that slept wakes up with an old one.
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

/** What the server or the network refused leaves the photo unbound; anything else is a fault of ours. */
function refused(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
