import { LANGUAGES } from '@karaar/contracts/limits';
import { newToken, readContact } from './contact.ts';
import { invitationMessage, invitationTemplates } from './invitations.texts.ts';
import { maskContact } from '../agreements/open-invitations.ts';

it('reads numbers and addresses in the formats that people type', () => {
  for (const typed of [
    '9876543210',
    '+919876543210',
    '+91 98765 43210',
    '098765-43210',
    '0091 98765.43210',
    '९८७६५४३२१०',
  ])
    expect(readContact(typed)).toEqual({ channel: 'phone', contact: '+919876543210' });
  for (const typed of [' Asha@Example.ORG ', 'asha@example.org\u200b\n', 'ａsha＠example.org'])
    expect(readContact(typed)).toEqual({ channel: 'email', contact: 'asha@example.org' });
  const internationalized = 'a@xn--p1b6ci4b4b3a.xn--h2brj9c';
  expect(readContact(internationalized)).toEqual({ channel: 'email', contact: internationalized });
  for (const typed of [
    '',
    '12345',
    '+4479111234567',
    'asha',
    'asha@',
    'a b@example.org',
    '"a b"@example.org',
    '"a"@example.org',
    'a@[127.0.0.1]',
    'a@1.2.3.4',
    'root@localhost',
    'a@b',
    'a@example.c',
    `${'a'.repeat(65)}@example.org`,
    '98765432101',
  ])
    expect(readContact(typed)).toBeUndefined();
});

it('masks a contact so that only its owner recognises it', () => {
  expect(maskContact({ channel: 'phone', contact: '+919876543210' })).toBe('+91 ••••••3210');
  expect(maskContact({ channel: 'email', contact: 'asha@example.org' })).toBe('a•••@example.org');
});

it('composes the message in six languages, only from fixed words, an ID and our own link', () => {
  const link = `http://localhost:8080/invitation#${newToken()}`;
  const texts = LANGUAGES.map((language) =>
    invitationMessage('+919876543210', language, { sender: 'ABCD1234', link }),
  );
  for (const { text } of texts) expect(text).toContain(link);
  expect(new Set(texts.map(({ text }) => text)).size).toBe(LANGUAGES.length);
  expect(texts.map(({ template }) => template)).toEqual(invitationTemplates);
  for (const bad of [
    { sender: 'Free money', link },
    { sender: 'ABCD1234', link: 'https://evil.example/x' },
    { sender: 'ABCD1234', link: `https://evil.example/invitation#short` },
  ])
    expect(() => invitationMessage('+919876543210', 'en', bad)).toThrow(/cannot carry/);
});
