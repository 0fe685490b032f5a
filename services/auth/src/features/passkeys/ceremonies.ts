/** WebAuthn by `@simplewebauthn/server`: challenges, and the check of what authenticators answer (docs/adr/0066). */
import type { PasskeyAssertion, PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticatorTransport,
} from '@simplewebauthn/server';
import type { Config } from '../../config.ts';
import { CEREMONY_MS } from './ceremonies.repository.ts';
import type { PasskeyRow } from './passkeys.repository.ts';

/**
 * COSE algorithms: EdDSA, ES256, RS256, which every authenticator has one of. Those against quantum computers (ML-DSA) are
 * experimental in Node still.
 */
const ALGORITHMS = [-8, -7, -257];

type WebApp = Pick<Config, 'PUBLIC_URL'>;
type Known = Pick<PasskeyRow, 'credential_id' | 'transports'>;

/** What a new passkey has to be kept with. */
export type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'transports' | 'synced'> & {
  counter: number;
};

const hostOf = ({ PUBLIC_URL }: WebApp): string => new URL(PUBLIC_URL).hostname;
const originOf = ({ PUBLIC_URL }: WebApp): string => new URL(PUBLIC_URL).origin;

const descriptors = (passkeys: readonly Known[]) =>
  passkeys.map(({ credential_id, transports }) => ({
    type: 'public-key' as const,
    id: credential_id,
    transports: transports as AuthenticatorTransport[],
  }));

/** What a browser needs to make a passkey for this admin; devices that hold one of `known` are left out by it. */
export async function optionsToAdd(
  app: WebApp,
  admin: { id: string; username: string },
  known: readonly Known[],
) {
  const { rp, user, challenge, pubKeyCredParams } = await generateRegistrationOptions({
    rpName: 'Karaar',
    rpID: hostOf(app),
    userID: new TextEncoder().encode(admin.id),
    userName: admin.username,
    userDisplayName: admin.username,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return {
    rp: { id: hostOf(app), name: rp.name },
    user,
    challenge,
    pubKeyCredParams,
    timeout: CEREMONY_MS,
    excludeCredentials: descriptors(known),
    authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'required' as const },
    attestation: 'none' as const,
  };
}

/** What a browser needs to sign with one of `known`. */
export async function optionsToUse(app: WebApp, known: readonly Known[]) {
  const { challenge } = await generateAuthenticationOptions({
    rpID: hostOf(app),
    userVerification: 'required',
  });
  return {
    challenge,
    timeout: CEREMONY_MS,
    rpId: hostOf(app),
    allowCredentials: descriptors(known),
    userVerification: 'required' as const,
  };
}

/** Undefined for what is not the answer to this challenge, from our own pages, of somebody whom the device has recognised. */
export async function readAdded(
  app: WebApp,
  challenge: string,
  added: PasskeyRegistration,
): Promise<NewPasskey | undefined> {
  const checked = await verifyRegistrationResponse({
    response: added as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: originOf(app),
    expectedRPID: hostOf(app),
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

/** What the passkey says of itself now; undefined as for {@link readAdded}, or when another key has signed. */
export async function readUsed(
  app: WebApp,
  challenge: string,
  used: PasskeyAssertion,
  passkey: PasskeyRow,
): Promise<{ counter: number; synced: boolean } | undefined> {
  const checked = await verifyAuthenticationResponse({
    response: used as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: originOf(app),
    expectedRPID: hostOf(app),
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
  }).catch(() => undefined);
  if (!checked?.verified) return undefined;
  const { newCounter, credentialDeviceType } = checked.authenticationInfo;
  return { counter: newCounter, synced: credentialDeviceType === 'multiDevice' };
}
