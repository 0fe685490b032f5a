/** Passkeys that sign approvals. Keys and signatures that receipts could not verify offline are refused. */
import type { PasskeyAssertion, PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import { challengeOf, verifyAssertion } from '@karaar/proof/approval/assertion';
import { readPasskeyKey } from '@karaar/proof/approval/cose';
import {
  creationOptions,
  readAssertion,
  readRegistration,
  requestOptions,
  siteOf,
  type RegisteredPasskey,
} from '@karaar/webauthn';
import type { Config } from '../../config.ts';
import type { SigningKeyRow } from './signing-keys.repository.ts';

type WebApp = Pick<Config, 'PUBLIC_URL'>;

/** Returns the options for creating a passkey; the browser excludes devices that hold one of `known`. */
export const optionsToAdd = (
  app: WebApp,
  { userId, name, charId }: { userId: string; name: string; charId: string },
  known: readonly SigningKeyRow[],
) => creationOptions(siteOf(app), { id: userId, name: `${name} (${charId})`, displayName: name }, known);

/**
 * Returns the options for signing this statement with one of these keys; the challenge is the statement's
 * SHA-256.
 */
export const optionsToSign = (app: WebApp, keys: readonly SigningKeyRow[], statement: string) =>
  requestOptions(siteOf(app), challengeOf(statement), keys);

/** Returns the new passkey; undefined unless it answers this challenge, from our site, with user verification. */
export async function readAdded(
  app: WebApp,
  challenge: string,
  added: PasskeyRegistration,
): Promise<RegisteredPasskey | undefined> {
  const made = await readRegistration(siteOf(app), challenge, added);
  return made && isReadable(new Uint8Array(made.public_key)) ? made : undefined;
}

/** Returns true if receipts can verify this kind of key offline. */
function isReadable(publicKey: Uint8Array): boolean {
  try {
    return Boolean(readPasskeyKey(publicKey));
  } catch {
    return false;
  }
}

/**
 * Returns true if receipts can verify the signature offline. Their check is stricter than the library, which
 * accepts signatures requested in another site's frame, unknown flags and other encodings.
 */
async function holdsOffline(
  app: WebApp,
  statement: string,
  { response: { clientDataJSON, authenticatorData, signature } }: PasskeyAssertion,
  { public_key }: SigningKeyRow,
): Promise<boolean> {
  try {
    const assertion = { clientDataJSON, authenticatorData, signature };
    await verifyAssertion({ statement, assertion, publicKey: new Uint8Array(public_key), ...siteOf(app) });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Returns the key's new counter and sync state; undefined if this key has not signed this statement, or its
 * counter went back.
 */
export async function readSigned(
  app: WebApp,
  statement: string,
  used: PasskeyAssertion,
  key: SigningKeyRow,
): Promise<{ counter: number; synced: boolean } | undefined> {
  const now = await readAssertion(siteOf(app), challengeOf(statement), used, key);
  return now && (await holdsOffline(app, statement, used, key)) ? now : undefined;
}
