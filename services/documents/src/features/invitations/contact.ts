/**
 * A phone number or an e-mail address to which an invitation goes, and the secrets of links; pure except for random
 * numbers.
 */
import { createHash, randomBytes } from 'node:crypto';
import { PLAIN_EMAIL } from '@karaar/contracts/limits';
import { readPhone } from '@karaar/contracts/typed/read';
import { checker } from '@karaar/platform/schema';
import { Type } from 'typebox';
import type { Contact } from '../agreements/open-invitations.ts';

const checkEmail = checker(Type.String({ format: 'email', pattern: PLAIN_EMAIL, maxLength: 254 }), 'contact');

/**
 * The contact as the creator typed it: `+91` and ten digits, or an address in lower case; undefined for anything
 * else.
 */
export function readContact(typed: string): Contact | undefined {
  const phone = readPhone(typed);
  if (phone) return { channel: 'phone', contact: phone };
  const address = typed.trim().toLowerCase();
  return checkEmail(address).ok ? { channel: 'email', contact: address } : undefined;
}

/** The secret of one link. */
export const newToken = (): string => randomBytes(24).toString('base64url');

/** The hash under which a token, proof or contact is stored and looked up. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
