import type { Principal } from './principal.ts';

const TTL_MS = 30_000;
const ENTRIES = 10_000;

type Entry = { principal: Principal; until: number };

export type VerifiedCache = {
  get(token: string): Principal | undefined;
  /** @param expiresAt the token's `exp`, in seconds since 1970 */
  put(token: string, principal: Principal, expiresAt: number): void;
};

/**
 * Caches the principal of a verified token for 30 seconds, but not beyond the token's expiry, so that a busy
 * page does not verify a signature per request. The session state is not cached here. Rejected tokens are not
 * cached.
 */
export function createVerifiedCache(now: () => number = Date.now): VerifiedCache {
  const entries = new Map<string, Entry>();
  return {
    get(token) {
      const entry = entries.get(token);
      if (!entry) return undefined;
      if (now() < entry.until) return entry.principal;
      entries.delete(token);
      return undefined;
    },
    put(token, principal, expiresAt) {
      if (entries.size >= ENTRIES) {
        const oldest = entries.keys().next().value;
        if (oldest !== undefined) entries.delete(oldest);
      }
      entries.set(token, { principal, until: Math.min(now() + TTL_MS, expiresAt * 1000) });
    },
  };
}
