import { randomBytes, randomUUID } from 'node:crypto';
import { readUnsubscribeToken, unsubscribeToken } from './unsubscribe-token.ts';

const secret = randomBytes(32).toString('base64');
const subject = { userId: randomUUID(), kind: 'invited' as const };

it('names the user and the kind of e-mails that it ends', () => {
  expect(readUnsubscribeToken(secret, unsubscribeToken(secret, subject))).toEqual(subject);
});

it('is invalid after any change', () => {
  const token = unsubscribeToken(secret, subject);
  const [user = '', , signature = ''] = token.split('.');
  for (const forged of [
    '',
    '..',
    user,
    token.slice(0, -1),
    `${token}.`,
    `${token}A`,
    `${randomUUID()}.invited.${signature}`,
    `${user}.sealed.${signature}`,
    `${user}.everything.${signature}`,
    unsubscribeToken(randomBytes(32).toString('base64'), subject),
  ])
    expect(readUnsubscribeToken(secret, forged)).toBeUndefined();
});
