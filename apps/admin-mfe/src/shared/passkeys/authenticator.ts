/** The browser's side of WebAuthn, by `@simplewebauthn/browser`: what can go wrong, as a key of `passkeyTexts`. */
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

/** Browser or device made or used no passkey; `fault` says why in words of `passkeyTexts`. */
export class NoPasskey extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, cause: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

/** @param optionsJSON as the service gave them. @throws NoPasskey */
export function signWithPasskey(
  optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON'],
): Promise<PasskeyAssertion> {
  return asked(() => startAuthentication({ optionsJSON }), 'notUsed');
}

/** @param optionsJSON as the service gave them. @throws NoPasskey */
export function makePasskey(
  optionsJSON: Parameters<typeof startRegistration>[0]['optionsJSON'],
): Promise<PasskeyRegistration> {
  return asked(() => startRegistration({ optionsJSON }), 'notMade');
}

/** Browsers do not tell whether the user has refused, was too late, or has no such passkey. */
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
