import type { PasskeyAssertion } from '@karaar/contracts/auth/passkeys-http';
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { CEREMONY_MS, descriptors, type KnownPasskey } from './known.ts';
import type { Site } from './site.ts';

/** Returns the options with which a browser signs this challenge (base64url) with one of `known`. */
export const requestOptions = ({ rpId }: Site, challenge: string, known: readonly KnownPasskey[]) => ({
  challenge,
  timeout: CEREMONY_MS,
  rpId,
  allowCredentials: descriptors(known),
  userVerification: 'required' as const,
});

/** Returns a random challenge in base64url, for signatures that only prove that the user is present. */
export const randomChallenge = async ({ rpId }: Site): Promise<string> =>
  (await generateAuthenticationOptions({ rpID: rpId })).challenge;

/** The fields of a stored passkey that a signature is checked against. */
export type StoredPasskey = KnownPasskey & { public_key: Uint8Array; counter: number };

/**
 * Returns the passkey's new counter and state. Returns undefined unless this passkey signed this challenge on
 * the site's own pages, after the device verified its user, with a counter that has increased.
 */
export async function readAssertion(
  { origin, rpId }: Site,
  challenge: string,
  used: PasskeyAssertion,
  passkey: StoredPasskey,
): Promise<{ counter: number; synced: boolean } | undefined> {
  if (used.id !== passkey.credential_id) return undefined;
  const checked = await verifyAuthenticationResponse({
    response: used as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (!checked?.verified) return undefined;
  const { newCounter, credentialDeviceType } = checked.authenticationInfo;
  return { counter: newCounter, synced: credentialDeviceType === 'multiDevice' };
}
