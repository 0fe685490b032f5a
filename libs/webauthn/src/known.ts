import type { AuthenticatorTransport } from '@simplewebauthn/server';

export type KnownPasskey = { credential_id: string; transports: string[] };

/** Milliseconds for which a challenge is valid; the browser's timeout is the same. */
export const CEREMONY_MS = 5 * 60_000;

/** Converts stored passkeys to the PublicKeyCredentialDescriptor of WebAuthn, ids in base64url. */
export const descriptors = (passkeys: readonly KnownPasskey[]) =>
  passkeys.map(({ credential_id, transports }) => ({
    type: 'public-key' as const,
    id: credential_id,
    transports: transports as AuthenticatorTransport[],
  }));
