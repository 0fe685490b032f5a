/** Reads on the device itself which key it has just made, so that nobody else has to say so. */
import { readPasskeyKey } from './cose.ts';

const HAS_KEY = 0x40;
/** Behind the hash of the site, flags, counter and the model of the authenticator. */
const ID_LENGTH_AT = 32 + 1 + 4 + 16;
/** Bytes of an EdDSA, an ES256 and an RS256 key. */
const KEY_BYTES = [42, 77, 272, 400, 528];

/**
 * The public key (COSE) in the authenticator data of a new passkey (WebAuthn §6.1); extensions may follow it.
 * @throws RangeError where there is none that signs approvals
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
