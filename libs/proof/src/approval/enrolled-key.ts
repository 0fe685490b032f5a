/** Reads a new key on the device itself, so that the device need not trust the server. */
import { readPasskeyKey } from './cose.ts';

const HAS_KEY = 0x40;
/** After the hash of the site, flags, counter and the authenticator's model. */
const ID_LENGTH_AT = 32 + 1 + 4 + 16;
/** Sizes of EdDSA, ES256 and RS256 keys in bytes. */
const KEY_BYTES = [42, 77, 272, 400, 528];

/**
 * Returns the public key (COSE) in the authenticator data of a new passkey (WebAuthn §6.1); extensions may
 * follow it.
 * @throws RangeError if there is no key that can sign approvals
 */
export function enrolledKey(data: Uint8Array): Uint8Array {
  const idLength = ((data[ID_LENGTH_AT] ?? 0) << 8) | (data[ID_LENGTH_AT + 1] ?? 0);
  const rest = data.slice(ID_LENGTH_AT + 2 + idLength);
  const key = KEY_BYTES.map((length) => rest.slice(0, length)).find(isKey);
  if (((data[32] ?? 0) & HAS_KEY) === 0 || !key) throw new RangeError('no key in this answer');
  return key;
}

function isKey(bytes: Uint8Array): boolean {
  try {
    return Boolean(readPasskeyKey(bytes));
  } catch {
    return false;
  }
}
