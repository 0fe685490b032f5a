export type { Principal } from './principal.ts';
export {
  createTokenVerifier,
  type SessionVerifier,
  type TokenVerifier,
  type VerifierOptions,
} from './verifier.ts';
export { createJwksCache, type JwksCache } from './jwks-cache.ts';
export { createSessionCheck, sessionKey, type SessionCheck, type SessionStatus } from './session-check.ts';
