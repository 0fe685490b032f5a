import type { PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { CEREMONY_MS, descriptors, type KnownPasskey } from './known.ts';
import type { Site } from './site.ts';

/**
 * COSE algorithms EdDSA, ES256 and RS256: every authenticator has one of them, and browsers can verify them
 * offline. The post-quantum ML-DSA is still experimental in Node.
 */
const ALGORITHMS = [-8, -7, -257];

/** The user of the passkey; `name` distinguishes accounts on one device, `displayName` is shown to people. */
export type PasskeyUser = { id: string; name: string; displayName: string };

/**
 * Returns the options with which a browser creates a passkey for this user. Devices that hold one of `known`
 * are excluded.
 */
export async function creationOptions({ rpId }: Site, user: PasskeyUser, known: readonly KnownPasskey[]) {
  const options = await generateRegistrationOptions({
    rpName: 'Karaar',
    rpID: rpId,
    userID: new TextEncoder().encode(user.id),
    userName: user.name,
    userDisplayName: user.displayName,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return {
    rp: { id: rpId, name: options.rp.name },
    user: options.user,
    challenge: options.challenge,
    pubKeyCredParams: options.pubKeyCredParams,
    timeout: CEREMONY_MS,
    excludeCredentials: descriptors(known),
    authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'required' as const },
    attestation: 'none' as const,
  };
}

export type RegisteredPasskey = KnownPasskey & {
  /** COSE key. */
  public_key: Buffer;
  counter: number;
  /** True if the passkey is synchronised between devices. */
  synced: boolean;
};

/**
 * Returns the new passkey. Returns undefined unless the response answers this challenge, comes from the
 * site's own pages, and the device verified its user.
 * @param challenge base64url
 */
export async function readRegistration(
  { origin, rpId }: Site,
  challenge: string,
  added: PasskeyRegistration,
): Promise<RegisteredPasskey | undefined> {
  const checked = await verifyRegistrationResponse({
    response: added as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!checked?.verified) return undefined;
  const { credential, credentialDeviceType } = checked.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
    synced: credentialDeviceType === 'multiDevice',
  };
}
