/**
 * The token in our messages to a contact without an account, with which its owner stops further messages
 * (docs/adr/0090). It holds a keyed hash, because the contact itself is erased with the invitation. It never
 * expires, because links in old messages must work.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONTACT_CHANNELS, STOP_TOKEN } from '@karaar/contracts/limits';
import type { Contact } from '../agreements/open-invitations.ts';

export type StopSubject = {
  channel: Contact['channel'];
  senderId: string;
  hash: string;
};

const WHOLE = new RegExp(STOP_TOKEN);

const keyed = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** Returns the hash under which a contact's stop is stored; without the key, it cannot be guessed. */
export const contactHash = (key: Buffer, { channel, contact }: Contact): string =>
  keyed(key, `contact ${channel} ${contact}`);

const sign = (key: Buffer, { channel, senderId, hash }: StopSubject): string =>
  keyed(key, `stop ${channel} ${senderId} ${hash}`);

export function stopTokenFor(key: Buffer, contact: Contact, senderId: string): string {
  const subject = { channel: contact.channel, senderId, hash: contactHash(key, contact) };
  return [subject.channel, senderId, subject.hash, sign(key, subject)].join('.');
}

/** Parses a token; returns undefined if it is not ours. */
export function readStopToken(key: Buffer, token: string): StopSubject | undefined {
  if (!WHOLE.test(token)) return undefined;
  const [named, senderId = '', hash = '', signature = ''] = token.split('.');
  const channel = CONTACT_CHANNELS.find((one) => one === named);
  if (!channel) return undefined;
  const subject = { channel, senderId, hash };
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(key, subject))];
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? subject : undefined;
}
