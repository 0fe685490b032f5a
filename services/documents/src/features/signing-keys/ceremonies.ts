/** Passkeys that sign: a key that could not be verified offline is not taken, and a signature that could not is not either. */
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

/** What a browser needs to make a passkey for this person; devices that hold one of `known` are left out by it. */
export const optionsToAdd = (
  app: WebApp,
  { userId, name, charId }: { userId: string; name: string; charId: string },
  known: readonly SigningKeyRow[],
) => creationOptions(siteOf(app), { id: userId, name: `${name} (${charId})`, displayName: name }, known);

/** What a browser needs to sign this statement with one of these keys: the challenge is the statement's SHA-256. */
export const optionsToSign = (app: WebApp, keys: readonly SigningKeyRow[], statement: string) =>
  requestOptions(siteOf(app), challengeOf(statement), keys);

/** The added passkey; undefined unless the answer is to this challenge, from our own pages, with user verification. */
export async function readAdded(
  app: WebApp,
  challenge: string,
  added: PasskeyRegistration,
): Promise<RegisteredPasskey | undefined> {
  const made = await readRegistration(siteOf(app), challenge, added);
  return made && isReadable(new Uint8Array(made.public_key)) ? made : undefined;
}

/** A key that could not be verified offline later is not taken now. */
function isReadable(publicKey: Uint8Array): boolean {
  try {
    return Boolean(readPasskeyKey(publicKey));
  } catch {
    return false;
  }
}

/**
 * Whether verifiers of receipts take the answer. They are stricter than the library, which takes signatures that were asked for in another
 * page's frame, unknown flags, and other encodings.
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

/** What the key says of itself now; undefined when this key has not signed this statement, or its counter went back. */
export async function readSigned(
  app: WebApp,
  statement: string,
  used: PasskeyAssertion,
  key: SigningKeyRow,
): Promise<{ counter: number; synced: boolean } | undefined> {
  const now = await readAssertion(siteOf(app), challengeOf(statement), used, key);
  return now && (await holdsOffline(app, statement, used, key)) ? now : undefined;
}
