import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '@karaar/base/errors';

export type JwksCache = { getKey: JWTVerifyGetKey };

const FETCH_DEADLINE_MS = 2_000;
const MAX_BYTES = 64 * 1024;
/** Downloads that a token without keys waits for before the answer is 503. */
const TRIES = 2;

/**
 * Returns the document as a key set. Throws on private keys: an endpoint that publishes one cannot be
 * trusted.
 */
function toKeySet(document: unknown): JSONWebKeySet {
  const keys =
    typeof document === 'object' && document !== null && 'keys' in document ? document.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('The JWKS has no keys');
  if (keys.some((key) => typeof key !== 'object' || key === null || 'd' in key))
    throw new Error('The JWKS is malformed');
  return { keys };
}

async function download(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_DEADLINE_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`The JWKS endpoint answered ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_BYTES) throw new Error('The JWKS is too large');
  return toKeySet(JSON.parse(text));
}

/**
 * Caches the public keys of the auth service. It loads them at once, so that the first token of a new process rarely
 * waits for auth, and renews them in the background after `freshMs`. The old keys work for at most `staleMs`, so
 * that short outages of the auth service do no harm. An unknown key id triggers a renewal, but at most one per
 * `cooldownMs`, so that forged ids cannot flood the endpoint.
 */
export function createJwksCache(options: {
  url: string;
  freshMs?: number;
  staleMs?: number;
  cooldownMs?: number;
  now?: () => number;
}): JwksCache {
  const { url, freshMs = 300_000, staleMs = 86_400_000, cooldownMs = 5_000, now = Date.now } = options;
  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;
  let lastError: unknown;

  const load = (): Promise<void> => {
    loading ??= (async () => {
      triedAt = now();
      try {
        keys = createLocalJWKSet(await download(url));
        loadedAt = now();
        lastError = undefined;
      } catch (err) {
        lastError = err;
      } finally {
        loading = undefined;
      }
    })();
    return loading;
  };
  const down = () =>
    unavailable(
      'auth_unavailable',
      'Sign-in cannot be checked right now. Please try again in a moment.',
      lastError,
    );

  void load();
  return {
    async getKey(header, token) {
      // Without keys every call has to wait; concurrent calls share one download.
      for (let tries = 0; !keys || now() - loadedAt > staleMs; tries += 1) {
        if (tries === TRIES) throw down();
        await load();
      }
      if (now() - loadedAt > freshMs && now() - triedAt > cooldownMs) void load();
      try {
        return await keys(header, token);
      } catch (err) {
        if (!(err instanceof errors.JWKSNoMatchingKey)) throw err;
        if (now() - triedAt > cooldownMs || loading) await load();
        if (lastError !== undefined) throw down();
        return await keys(header, token);
      }
    },
  };
}
