import { useEffect, useEffectEvent } from 'react';

type OtpCredential = Credential & { code?: string };
type OtpRequest = CredentialRequestOptions & { otp: { transport: ['sms'] } };

/**
 * Reads the code from the SMS if the browser supports it (WebOTP: Chrome on Android, for texts that end in
 * `@host #code`) and the user agrees.
 * @param listening true once a code was sent
 */
export function useWebOtp(listening: boolean, onCode: (code: string) => void): void {
  const take = useEffectEvent(onCode);
  useEffect(() => {
    if (!listening || !('OTPCredential' in window)) return;
    const end = new AbortController();
    const request: OtpRequest = { otp: { transport: ['sms'] }, signal: end.signal };
    navigator.credentials.get(request).then(
      (credential: OtpCredential | null) => {
        if (credential?.code) take(credential.code);
      },
      // The user declined or did not answer, and can type the code.
      () => undefined,
    );
    return () => end.abort();
    // One request per sent code, however often the page renders.
  }, [listening]);
}
