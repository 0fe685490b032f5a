/** Contacts of invitations (phone numbers or e-mail addresses), and the secrets of links. */
import { createHash, randomBytes } from 'node:crypto';
import { PLAIN_EMAIL } from '@karaar/contracts/limits';
import { readPhone, readPlain } from '@karaar/contracts/typed/read';
import { checker } from '@karaar/base/schema';
import { Type } from 'typebox';
import type { Contact } from '../agreements/open-invitations.ts';

const checkEmail = checker(Type.String({ format: 'email', pattern: PLAIN_EMAIL, maxLength: 254 }), 'contact');

/** Parses a typed contact: `+91` and ten digits, or an address in lower case; undefined for other text. */
export function readContact(typed: string): Contact | undefined {
  const phone = readPhone(typed);
  if (phone) return { channel: 'phone', contact: phone };
  const address = readPlain(typed).trim().toLowerCase();
  return checkEmail(address).ok ? { channel: 'email', contact: address } : undefined;
}

export const newToken = (): string => randomBytes(24).toString('base64url');

/** Returns the hash under which a token, a proof or a contact is stored. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
