import { readPhone, readPlain } from '@karaar/contracts/typed/read';

/** Returns true if a text can be a phone number or an e-mail address; the server decides. */
export function isContact(typed: string): boolean {
  return readPhone(typed) !== undefined || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(readPlain(typed).trim());
}
