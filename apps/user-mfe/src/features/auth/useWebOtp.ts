import { useEffect, useEffectEvent } from 'react';

type OtpCredential = Credential & { code?: string };
type OtpRequest = CredentialRequestOptions & { otp: { transport: ['sms'] } };

/**
 * Takes the code out of the text message where the browser offers to (WebOTP: Chrome on Android, for texts that end
 * in `@host #code`). It asks the reader first. Elsewhere nothing happens.
 * @param listening from the moment a code is on its way
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
      // Turned down, or left without an answer: the field is there to type in.
      () => undefined,
    );
    return () => end.abort();
    // One request for each code that was sent, whatever the page draws meanwhile.
  }, [listening]);
}
