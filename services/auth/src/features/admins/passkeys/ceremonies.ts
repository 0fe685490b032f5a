/**
 * Admins' passkeys: the options for browsers, and the checks of authenticators' responses (docs/adr/0066).
 */
import type { PasskeyAssertion, PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import {
  creationOptions,
  randomChallenge,
  readAssertion,
  readRegistration,
  requestOptions,
  siteOf,
  type RegisteredPasskey,
} from '@karaar/webauthn';
import type { Config } from '../../../config.ts';
import type { PasskeyRow } from './passkeys.repository.ts';

type WebApp = Pick<Config, 'PUBLIC_URL'>;
type Known = Pick<PasskeyRow, 'credential_id' | 'transports'>;

/**
 * Returns the options with which a browser creates a passkey for this admin. Devices that hold one of `known`
 * are excluded.
 */
export const optionsToAdd = (
  app: WebApp,
  { id, username }: { id: string; username: string },
  known: readonly Known[],
) => creationOptions(siteOf(app), { id, name: username, displayName: username }, known);

/** Returns the options with which a browser signs with one of `known`. */
export async function optionsToUse(app: WebApp, known: readonly Known[]) {
  const site = siteOf(app);
  return requestOptions(site, await randomChallenge(site), known);
}

/**
 * Returns undefined unless the response answers this challenge, comes from our own pages, and the device has
 * verified its user.
 */
export const readAdded = (
  app: WebApp,
  challenge: string,
  added: PasskeyRegistration,
): Promise<RegisteredPasskey | undefined> => readRegistration(siteOf(app), challenge, added);

/**
 * Returns the passkey's new counter and state; undefined as for {@link readAdded}, or if another key signed.
 */
export const readUsed = (
  app: WebApp,
  challenge: string,
  used: PasskeyAssertion,
  passkey: PasskeyRow,
): Promise<{ counter: number; synced: boolean } | undefined> =>
  readAssertion(siteOf(app), challenge, used, { ...passkey, counter: Number(passkey.counter) });
