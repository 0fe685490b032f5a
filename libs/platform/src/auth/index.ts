/** Access tokens: whose they are, and whether their session still lives. */
export {
  createTokenVerifier,
  type Principal,
  type SessionVerifier,
  type TokenVerifier,
  type VerifierOptions,
} from './verifier.ts';
export { createJwksCache, type JwksCache } from './jwks-cache.ts';
export { createSessionCheck, sessionKey, type SessionCheck, type SessionStatus } from './session-check.ts';
