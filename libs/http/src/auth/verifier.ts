import { errors, jwtVerify, type JWTPayload } from 'jose';
import { AppError, unauthorized } from '@karaar/base/errors';
import type { Logger } from '@karaar/observability/logging';
import { createJwksCache } from './jwks-cache.ts';
import type { Principal } from './principal.ts';
import { createVerifiedCache } from './verified-cache.ts';
import { createSessionCheck, type SessionStatus, type SessionStore } from './session-check.ts';

export type TokenVerifier = {
  /**
   * @param token the compact JWT, without `Bearer`
   * @throws AppError 401 if the token is forged, expired or foreign, or its session has ended; 503 if that
   * cannot be checked
   */
  verify(token: string): Promise<Principal>;
  /** Returns the principal synchronously if the token and its session were checked a moment ago. */
  recall?(token: string): Principal | undefined;
  /**
   * Records that a session is open, for a caller that has read many sessions from Redis at once.
   * @param askedAt time of the request to Redis (`performance.now()`); the answer is valid for 800 ms from
   * then
   */
  noteActive?(sessionId: string, askedAt: number): void;
};

/** The verifier of a service. It also checks the sessions of signed links, which carry no token. */
export type SessionVerifier = TokenVerifier & {
  /** Returns true if a session is open. Throws AppError 503 if that cannot be checked. */
  sessionLives: (sessionId: string) => Promise<boolean>;
};

export type VerifierOptions = {
  /** The auth service's `/.well-known/jwks.json`. */
  jwksUrl: string;
  issuer?: string;
  redis: SessionStore;
  sessionStatus: SessionStatus;
  logger?: Logger;
};

const AUDIENCES: Record<string, Principal['audience']> = { 'karaar:user': 'user', 'karaar:admin': 'admin' };
const MAX_TOKEN_LENGTH = 4_096;

const refused = () => unauthorized('invalid_token', 'Your session is not valid. Please sign in again.');
const expired = () => unauthorized('session_expired', 'Your session has expired. Please sign in again.');

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined;

function toPrincipal(payload: JWTPayload): Principal {
  const audience = typeof payload.aud === 'string' ? AUDIENCES[payload.aud] : undefined;
  const userId = text(payload.sub);
  const sessionId = text(payload.sid);
  const charId = text(payload.char_id);
  const role = text(payload.role);
  if (!audience || !userId || !sessionId) throw refused();
  if (audience === 'user' && !charId) throw refused();
  return {
    userId,
    sessionId,
    charId: charId ?? '',
    audience,
    ...(audience === 'admin' && role ? { role } : {}),
  };
}

/**
 * Verifies access tokens (EdDSA, issuer, audience, expiry) and their session. The gateway and every service
 * verify for themselves: a service does not trust its callers to have checked.
 */
export function createTokenVerifier(options: VerifierOptions): SessionVerifier {
  const jwks = createJwksCache({ url: options.jwksUrl });
  const isActive = createSessionCheck(options);
  const verified = createVerifiedCache();
  const rules = {
    issuer: options.issuer ?? 'karaar',
    audience: Object.keys(AUDIENCES),
    algorithms: ['EdDSA'],
    requiredClaims: ['sub', 'sid', 'exp', 'iat'],
    // The clocks of two hosts differ a little.
    clockTolerance: 5,
  };

  const checkToken = async (token: string): Promise<Principal> => {
    try {
      const { payload } = await jwtVerify(token, jwks.getKey, rules);
      const principal = toPrincipal(payload);
      verified.put(token, principal, payload.exp ?? 0);
      return principal;
    } catch (err) {
      if (err instanceof AppError) throw err;
      if (err instanceof errors.JWTExpired) throw expired();
      if (err instanceof errors.JOSEError) throw refused();
      throw err;
    }
  };

  return {
    async verify(token) {
      if (token.length > MAX_TOKEN_LENGTH) throw refused();
      const principal = verified.get(token) ?? (await checkToken(token));
      if (!(await isActive(principal.sessionId))) {
        throw unauthorized('session_revoked', 'You have been signed out. Please sign in again.');
      }
      return principal;
    },
    recall(token) {
      const principal = verified.get(token);
      return principal !== undefined && isActive.isKnown(principal.sessionId) ? principal : undefined;
    },
    sessionLives: (sessionId) => isActive(sessionId),
    noteActive: isActive.note,
  };
}
