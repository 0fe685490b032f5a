import type { Access } from '@karaar/contracts/kit';
import type { Principal, TokenVerifier } from '@karaar/platform/auth';
import { forbidden, unauthorized } from '@karaar/platform/errors';
import { bearerToken } from '@karaar/platform/http-kit';

const SCHEME = 'Bearer ';

/**
 * Lets a request pass, or throws what its sender is told: 401 without a valid token, 403 with a valid one
 * of the other audience (so that an admin's token on a user call never logs anybody out, design §3).
 * Every service checks again with the same words; this keeps what is refused anyway away from it.
 *
 * @returns a promise only where something has to be asked
 */
export function checkAccess(
  verifier: TokenVerifier,
  access: Exclude<Access, 'public'>,
  authorization: string | undefined,
): Promise<void> | undefined {
  // What is not known exactly as it stands takes the long way.
  if (authorization?.startsWith(SCHEME) === true) {
    const known = verifier.recall?.(authorization.slice(SCHEME.length));
    if (known !== undefined) {
      checkAudience(known, access);
      return undefined;
    }
  }
  const token = bearerToken(authorization);
  if (token === undefined) throw unauthorized('not_authenticated', 'Please sign in.');
  return verifier.verify(token).then((principal) => checkAudience(principal, access));
}

function checkAudience(principal: Principal, access: Exclude<Access, 'public'>): void {
  if (principal.audience === access) return;
  throw forbidden(
    'wrong_audience',
    access === 'admin' ? 'This is for administrators only.' : 'Please sign in as a user for this.',
  );
}
