import type { FastifyRequest } from 'fastify';
import type { Access, AdminRole } from '@karaar/contracts/kit';
import type { Principal, TokenVerifier } from '../../auth/index.ts';
import { forbidden, unauthorized } from '@karaar/base/errors';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Returns the token of `Authorization: Bearer …`. Tokens in a query or cookie are not accepted. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

/** The callers that a route admits: an audience, and for admins the roles. */
export type Guarded = { access: Exclude<Access, 'public'>; roles: readonly AdminRole[] | undefined };

const SCHEME = 'Bearer ';

/**
 * Returns the caller if the route admits it. A valid token of the other audience gets 403, so that an admin's
 * token on a user route does not log the user out (design §3).
 *
 * @returns a promise only if the session has to be looked up
 * @throws AppError 401 without a valid token; 403 `wrong_audience`
 */
export function checkAccess(
  verifier: TokenVerifier,
  access: Guarded['access'],
  authorization: string | undefined,
): Promise<Principal> | Principal {
  // Only a header that was seen in exactly this form skips the full verification.
  if (authorization?.startsWith(SCHEME) === true) {
    const known = verifier.recall?.(authorization.slice(SCHEME.length));
    if (known !== undefined) return ofAudience(known, access);
  }
  const token = bearerToken(authorization);
  if (token === undefined) throw unauthorized('not_authenticated', 'Please sign in.');
  return verifier.verify(token).then((principal) => ofAudience(principal, access));
}

function ofAudience(principal: Principal, access: Guarded['access']): Principal {
  if (principal.audience === access) return principal;
  throw forbidden(
    'wrong_audience',
    access === 'admin' ? 'This is for administrators only.' : 'Please sign in as a user for this.',
  );
}

/**
 * Returns the caller of a route that is not public.
 * @throws AppError 401 without a valid token; 403 `wrong_audience` for a user on an admin route or the
 * reverse, 403 `role_forbidden` for an admin of another role
 */
export async function authenticate(
  req: FastifyRequest,
  { access, roles }: Guarded,
  verifier: TokenVerifier,
): Promise<Principal> {
  const principal = await checkAccess(verifier, access, req.headers.authorization);
  if (access === 'admin' && !roles?.some((role) => role === principal.role))
    throw forbidden('role_forbidden', 'Your admin role does not allow this.');
  return principal;
}
