/** Derives a separate key for each purpose from AUTH_SECRET. */
import { hkdfSync } from 'node:crypto';

export function secretsOf({ AUTH_SECRET }: { AUTH_SECRET: string }) {
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(AUTH_SECRET, 'base64'), '', `karaar auth ${purpose}`, 32));
  return {
    idNumberKey: derived('id numbers'),
    pepper: derived('one-time codes'),
    signingKeyKey: derived('signing keys'),
  };
}
