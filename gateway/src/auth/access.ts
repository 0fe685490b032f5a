import type { Access } from '@karaar/contracts/kit';
import type { TokenVerifier } from '@karaar/platform/auth';
import { forbidden, unauthorized } from '@karaar/platform/errors';
import { bearerToken } from '@karaar/platform/http-kit';

/**
 * Lets a request pass, or throws what its sender is told: 401 without a valid token, 403 with a valid one
 * of the other audience (so that an admin's token on a user call never logs anybody out, design §3).
 * Every service checks again with the same words; this keeps what is refused anyway away from it.
 */
export async function checkAccess(
  verifier: TokenVerifier,
  access: Exclude<Access, 'public'>,
  authorization: string | undefined,
): Promise<void> {
  const token = bearerToken(authorization);
  if (token === undefined) throw unauthorized('not_authenticated', 'Please sign in.');
  const principal = await verifier.verify(token);
  if (principal.audience === access) return;
  throw forbidden(
    'wrong_audience',
    access === 'admin' ? 'This is for administrators only.' : 'Please sign in as a user for this.',
  );
}
