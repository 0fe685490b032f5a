import { queryKeys, sessionStore } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { takesByItself, toast, type PhotoOrigin, type Signed } from '@karaar/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { verificationTexts } from './texts.ts';
import type { CaptureAbout } from './useLiveBinding.ts';
import {
  isComplete,
  missingText,
  nextPhoto,
  withPhoto,
  type CompleteVerification,
  type PhotoPart,
  type Purpose,
  type Verification,
  type VerificationPart,
} from './verification.ts';

type Verifying = {
  purpose: Purpose;
  about: CaptureAbout;
  initial: Verification;
  sending: boolean;
  onComplete: (files: CompleteVerification) => void;
};

/** The images of the dialog, the photo that is being taken, and the acts on them. */
export function useVerification({ purpose, about, initial: given, sending, onComplete }: Verifying) {
  const [initial, files, setFiles] = useKeptFiles(purpose, about, given);
  // With automatic photos the camera also opens by itself.
  const [capturing, setCapturing] = useState<PhotoPart | null>(() =>
    takesByItself() ? nextPhoto(initial) : null,
  );
  // The list shows the file of the pad; Complete creates it again from the pad's present content.
  const [signed, setSigned] = useState(() => signedBefore(initial));

  // Updates the latest state: a signature takes time to become a file, and a fingerprint may arrive
  // meanwhile.
  const put = (part: VerificationPart, file: File | undefined) =>
    setFiles((now) => ({ ...now, [part]: file }));
  useEffect(() => {
    let current = true;
    const show = (sign: File | undefined) => {
      if (current) setFiles((now) => ({ ...now, sign, sign_method: sign && signed?.method }));
    };
    // A picture that cannot be created is not listed; Complete reports it.
    void signed?.picture().then(show, () => show(undefined));
    if (!signed) show(undefined);
    return () => {
      current = false;
    };
  }, [signed, setFiles]);
  const taken = (part: PhotoPart) => (photo: File, origin: PhotoOrigin) => {
    setFiles((now) => withPhoto(now, part, photo, origin));
    setCapturing(nextPhoto({ ...files, [part]: photo }));
  };
  const { taking, complete } = useCompleting({ purpose, files, signed, sending, onComplete });
  return { initial, files, put, capturing, setCapturing, taken, signed, setSigned, taking, complete };
}

/** Completes the verification once, with the present content of the signature pad. */
function useCompleting(all: {
  purpose: Purpose;
  files: Verification;
  signed: Signed | undefined;
  sending: boolean;
  onComplete: (files: CompleteVerification) => void;
}) {
  const { purpose, files, signed, sending, onComplete } = all;
  const t = useTexts(verificationTexts);
  const [taking, setTaking] = useState(false);
  // The busy state renders later; this prevents a second press.
  const completed = useRef(false);
  useEffect(() => {
    if (!sending) completed.current = false;
  }, [sending]);
  const complete = async () => {
    if (completed.current) return;
    completed.current = true;
    setTaking(true);
    const sign = await signed?.picture().catch(() => null);
    setTaking(false);
    const whole = { ...files, sign: sign ?? undefined, sign_method: signed?.method };
    if (isComplete(purpose, whole)) return onComplete(whole);
    completed.current = false;
    const missing = missingText(purpose, whole);
    if (missing) toast.error(t(sign === null ? 'signatureFailed' : missing));
  };
  return { taking, complete };
}

/**
 * Holds the images so that an expired session loses none: the same user finds them in this dialog after
 * signing in again. Closing the dialog drops them.
 */
function useKeptFiles(purpose: Purpose, { document_id, document_code }: CaptureAbout, given: Verification) {
  const queries = useQueryClient();
  const [key] = useState(() => [
    ...queryKeys.entered,
    'verification',
    purpose,
    document_id ?? document_code ?? 'new',
  ]);
  const [initial] = useState<Verification>(() => ({ ...given, ...queries.getQueryData<Verification>(key) }));
  const [files, setFiles] = useState(initial);
  useEffect(() => {
    queries.setQueryDefaults(key, { gcTime: Infinity });
    queries.setQueryData(key, files);
  }, [queries, key, files]);
  useEffect(
    () => () => {
      if (sessionStore.token() !== null) queries.removeQueries({ queryKey: key });
    },
    [queries, key],
  );
  return [initial, files, setFiles] as const;
}

/** Returns the signature of an earlier attempt, so that a failed request loses nothing. */
const signedBefore = ({ sign, sign_method: method }: Verification): Signed | undefined =>
  sign && method && { method, picture: async () => sign };
