/** WebAuthn in the browser, by `@simplewebauthn/browser`. */
import { newKeyHash } from '@karaar/api-client/key-watch';
import type { PasskeyAssertion, PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';

/**
 * The reasons for a failed passkey; browsers do not distinguish a refusal, a timeout and a missing passkey.
 */
export type PasskeyFault = 'unsupported' | 'deviceKnown' | 'refused';

export class NoPasskey extends Error {
  readonly fault: PasskeyFault;

  constructor(fault: PasskeyFault, cause: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

/**
 * @param optionsJSON from the service
 * @throws NoPasskey
 */
export const signWithPasskey = (
  optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON'],
): Promise<PasskeyAssertion> => asked(() => startAuthentication({ optionsJSON }));

/** A new passkey, and the hash of its key from this device; undefined if the browser gives none. */
export type NewPasskey = { added: PasskeyRegistration; keySha256: string | undefined };

/**
 * @param optionsJSON from the service
 * @throws NoPasskey
 */
export async function makePasskey(
  optionsJSON: Parameters<typeof startRegistration>[0]['optionsJSON'],
): Promise<NewPasskey> {
  const added = await asked(() => startRegistration({ optionsJSON }));
  return { added, keySha256: newKeyHash(added.response.authenticatorData) };
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  if (!browserSupportsWebAuthn()) throw new NoPasskey('unsupported', undefined);
  try {
    return await ask();
  } catch (error) {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    throw new NoPasskey(isKnown ? 'deviceKnown' : 'refused', error);
  }
}
