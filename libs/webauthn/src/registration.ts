/** A new passkey: what a browser is asked, and the check of what the authenticator made. */
import type { PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { CEREMONY_MS, descriptors, type KnownPasskey } from './known.ts';
import type { Site } from './site.ts';

/**
 * COSE algorithms: EdDSA, ES256, RS256, which every authenticator has one of and which browsers verify offline as well.
 * Those against quantum computers (ML-DSA) are experimental in Node still.
 */
const ALGORITHMS = [-8, -7, -257];

/** Whom the passkey is for; `name` tells accounts of one device apart, `displayName` is what people read. */
export type PasskeyUser = { id: string; name: string; displayName: string };

/** The options with which a browser creates a passkey for this user; it leaves out devices that hold one of `known`. */
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

/** The fields of a new passkey that services store. */
export type RegisteredPasskey = KnownPasskey & {
  /** COSE. */
  public_key: Buffer;
  counter: number;
  /** Synchronised between devices. */
  synced: boolean;
};

/**
 * The passkey that an authenticator made. Undefined unless it answers this challenge, comes from the site's own pages, and
 * the device has verified its user.
 *
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
