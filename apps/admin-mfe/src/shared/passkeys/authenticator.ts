/** WebAuthn in the browser, by `@simplewebauthn/browser`, with its faults as keys of `passkeyTexts`. */
import type { PasskeyAssertion, PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import type { KeyOf } from '@karaar/i18n';
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type en from './texts/en.json';

type Fault = KeyOf<typeof en>;

/** The browser or device created or used no passkey; `fault` is the reason, a key of `passkeyTexts`. */
export class NoPasskey extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, cause: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

/**
 * @param optionsJSON from the service
 * @throws NoPasskey
 */
export function signWithPasskey(
  optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON'],
): Promise<PasskeyAssertion> {
  return asked(() => startAuthentication({ optionsJSON }), 'notUsed');
}

/**
 * @param optionsJSON from the service
 * @throws NoPasskey
 */
export function makePasskey(
  optionsJSON: Parameters<typeof startRegistration>[0]['optionsJSON'],
): Promise<PasskeyRegistration> {
  return asked(() => startRegistration({ optionsJSON }), 'notMade');
}

/** Browsers do not distinguish a refusal, a timeout and a missing passkey. */
async function asked<T>(ask: () => Promise<T>, otherwise: Fault): Promise<T> {
  if (!browserSupportsWebAuthn()) throw new NoPasskey('unsupported', undefined);
  try {
    return await ask();
  } catch (error) {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    throw new NoPasskey(isKnown ? 'deviceKnown' : otherwise, error);
  }
}
