/** Time-based codes of an authenticator app (RFC 6238: SHA-1, 30 s, 6 digits) and recovery codes. */
import { createHmac, randomBytes } from 'node:crypto';
import { readLetters, ungrouped } from '@karaar/contracts/typed/read';
import { generateSecret, generateURI, verify } from 'otplib';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_CODES = 10;
/** A phone's clock may be one step off. */
const TOLERANCE_S = 30;

export const newTotpSecret = (): string => generateSecret({ length: 20 });

export const totpUrl = (username: string, secret: string): string =>
  generateURI({ issuer: 'Karaar', label: username, secret });

/** Returns the time step of a right code; undefined for a wrong code and for a step up to `lastStep`. */
export async function totpStep(secret: string, code: string, lastStep: number): Promise<number | undefined> {
  const token = ungrouped(code);
  if (!/^[0-9]{6}$/.test(token)) return undefined;
  const result = await verify({
    secret,
    token,
    epochTolerance: TOLERANCE_S,
    ...(lastStep > 0 ? { afterTimeStep: lastStep } : {}),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Returns ten codes of 50 random bits, such as `7K3QM-X9D2A`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from(randomBytes(10), (byte) => ALPHABET.charAt(byte & 31)).join('');
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });

export const recoveryDigest = (pepper: Buffer, adminId: string, code: string): string =>
  createHmac('sha256', pepper)
    .update(`recovery\0${adminId}\0${readLetters(ungrouped(code)).replaceAll(/[^0-9A-Z]/g, '')}`)
    .digest('hex');
