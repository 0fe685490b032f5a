import { ApiError, call } from '@karaar/api-client';
import { documentsRoutes, type CaptureStep } from '@karaar/contracts/documents/http';
import { useEffect, useRef } from 'react';

/** What the photo is for: a document by its id, one to join by its code; neither for one that is being created. */
export type CaptureAbout = { document_id?: string; document_code?: string };

/** A nonce lives 5 minutes; whoever stands before the camera longer gets another. */
const RENEW_MS = 4 * 60_000;

/**
 * Binds a photo to its purpose while it is taken: a nonce from the server when the camera opens, the photo's hash with it
 * when the photo is submitted. A photo that could not be bound is sent all the same; the record then says that it was uploaded.
 */
export function useLiveBinding(
  step: CaptureStep,
  { document_id, document_code }: CaptureAbout,
): (photo: File) => Promise<void> {
  const nonce = useRef<Promise<string | null>>(Promise.resolve(null));
  useEffect(() => {
    const open = () => {
      const body = {
        step,
        ...(document_id === undefined ? {} : { document_id }),
        ...(document_code === undefined ? {} : { document_code }),
      };
      nonce.current = call(documentsRoutes.openCapture, { body }).then((answer) => answer.nonce, unbound);
    };
    open();
    const timer = setInterval(open, RENEW_MS);
    return () => clearInterval(timer);
  }, [step, document_id, document_code]);

  return async (photo) => {
    const taken = await nonce.current;
    // Hashes are made in secure contexts only.
    if (taken === null || !('subtle' in crypto)) return;
    const digest = await crypto.subtle.digest('SHA-256', await photo.arrayBuffer());
    const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    await call(documentsRoutes.bindCapture, { body: { nonce: taken, sha256 } }).catch(unbound);
  };
}

/** What the server or the network refused leaves the photo unbound; anything else is a fault of ours. */
function unbound(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
