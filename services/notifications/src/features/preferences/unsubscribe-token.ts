/**
 * The token in each e-mail with which its recipient ends e-mails of that kind without signing in (RFC 8058).
 * It never expires, because links in old e-mails must work. It allows nothing else. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { NOTIFICATION_KINDS, type NotificationKind } from '@karaar/contracts/notifications/kinds';

type Subject = { userId: string; kind: NotificationKind };

const sign = (secret: string, { userId, kind }: Subject): string =>
  createHmac('sha256', secret).update(`unsubscribe ${userId} ${kind}`).digest('base64url');

export const unsubscribeToken = (secret: string, subject: Subject): string =>
  `${subject.userId}.${subject.kind}.${sign(secret, subject)}`;

/** Returns the user and the kind of e-mails that a token ends, or undefined for an invalid token. */
export function readUnsubscribeToken(secret: string, token: string): Subject | undefined {
  const [userId = '', named, signature = '', ...rest] = token.split('.');
  const kind = NOTIFICATION_KINDS.find((one) => one === named);
  if (!kind || rest.length > 0) return undefined;
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(secret, { userId, kind }))];
  return actual.length === expected.length && timingSafeEqual(actual, expected)
    ? { userId, kind }
    : undefined;
}
