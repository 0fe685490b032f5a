import { randomBytes, randomUUID } from 'node:crypto';
import { STOP_TOKEN } from '@karaar/contracts/limits';
import { contactHash, readStopToken, stopTokenFor } from './stop-token.ts';

const key = randomBytes(32);
const contact = { channel: 'phone', contact: '+919000000001' } as const;
const senderId = randomUUID();
const token = stopTokenFor(key, contact, senderId);

it('identifies the sender, and the contact only by a hash', () => {
  expect(readStopToken(key, token)).toEqual({
    channel: 'phone',
    senderId,
    hash: contactHash(key, contact),
  });
  expect(token).toMatch(new RegExp(STOP_TOKEN));
  expect(token).not.toContain('9000000001');
});

it('is refused if any part was changed, or if it was made with another key', () => {
  const [channel, sender, hash, signature] = token.split('.');
  const other = contactHash(key, { channel: 'phone', contact: '+919000000002' });
  for (const changed of [
    ['email', sender, hash, signature],
    [channel, randomUUID(), hash, signature],
    [channel, sender, other, signature],
    [channel, sender, hash, randomBytes(32).toString('base64url')],
    [channel, sender, hash, hash],
    [channel, sender, hash],
    [channel, sender, hash, signature, signature],
  ])
    expect(readStopToken(key, changed.join('.'))).toBeUndefined();
  expect(readStopToken(key, '')).toBeUndefined();
  expect(readStopToken(key, stopTokenFor(randomBytes(32), contact, senderId))).toBeUndefined();
});

it('hashes a contact differently under another key and on another channel', () => {
  const hashes = [
    contactHash(key, contact),
    contactHash(randomBytes(32), contact),
    contactHash(key, { channel: 'email', contact: contact.contact }),
  ];
  expect(new Set(hashes).size).toBe(3);
});
