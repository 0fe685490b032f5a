/**
 * The token in our messages to a contact without an account, by which its owner stops further ones (docs/adr/0090). It
 * holds the keyed hash of the contact, because the contact itself is erased with the invitation, and works forever: a
 * link in an old message has to work. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONTACT_CHANNELS, STOP_TOKEN } from '@karaar/contracts/limits';
import type { Contact } from '../agreements/open-invitations.ts';

export type StopSubject = {
  channel: Contact['channel'];
  /** The user whose message had the token. */
  senderId: string;
  /** As {@link contactHash} gives it. */
  hash: string;
};

const WHOLE = new RegExp(STOP_TOKEN);

const keyed = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** The hash by which a contact that wants no invitations is known; without the key nobody can try numbers against it. */
export const contactHash = (key: Buffer, { channel, contact }: Contact): string =>
  keyed(key, `contact ${channel} ${contact}`);

const sign = (key: Buffer, { channel, senderId, hash }: StopSubject): string =>
  keyed(key, `stop ${channel} ${senderId} ${hash}`);

/** The token for the messages of one sender to a contact. */
export function stopTokenFor(key: Buffer, contact: Contact, senderId: string): string {
  const subject = { channel: contact.channel, senderId, hash: contactHash(key, contact) };
  return [subject.channel, senderId, subject.hash, sign(key, subject)].join('.');
}

/** What a token stops; undefined for a token that we did not make. */
export function readStopToken(key: Buffer, token: string): StopSubject | undefined {
  if (!WHOLE.test(token)) return undefined;
  const [named, senderId = '', hash = '', signature = ''] = token.split('.');
  const channel = CONTACT_CHANNELS.find((one) => one === named);
  if (!channel) return undefined;
  const subject = { channel, senderId, hash };
  const [given, wanted] = [Buffer.from(signature), Buffer.from(sign(key, subject))];
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? subject : undefined;
}
