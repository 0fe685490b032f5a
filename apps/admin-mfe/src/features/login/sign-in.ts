/** The steps of an admin's sign-in, in the order of the service (docs/adr/0066). */
import { ApiError, call, type Answer } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';

type Begun = Answer<typeof authRoutes.beginPasskeySignIn>;

export type Credentials = { username: string; password: string };
/** The present step. */
export type Step =
  | { name: 'password' }
  /** `lost`: a recovery code instead of a passkey. `toPasskey`: leads to a new passkey, not to a session. */
  | { name: 'code'; kind: 'app' | 'recovery' | 'lost'; toPasskey: boolean }
  | { name: 'use'; ceremony_id: string; options: NonNullable<Begun['use']> }
  | { name: 'add'; ceremony_id: string; options: NonNullable<Begun['add']> }
  /** Recovery codes to write down before the session begins. */
  | { name: 'codes'; token: string; codes: readonly string[] };

/** The next step, or the token of the session. */
export type Next = { step: Step } | { token: string };

const isAsked = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

/**
 * Submits name, password and an optional code.
 * @throws ApiError if they are refused
 */
export async function tryCredentials(credentials: Credentials, code?: string): Promise<Next> {
  try {
    const body = { ...credentials, ...(code === undefined ? {} : { totp: code }) };
    const { token } = await call(authRoutes.adminLogin, { body });
    return { token };
  } catch (error) {
    if (isAsked(error, 'totp_required')) return { step: { name: 'code', kind: 'app', toPasskey: false } };
    if (isAsked(error, 'passkey_required')) return askForPasskey(credentials);
    throw error;
  }
}

/**
 * Returns the passkey step: use the existing one, or add one.
 * @throws ApiError if credentials or code are refused
 */
export async function askForPasskey(credentials: Credentials, code?: string): Promise<Next> {
  try {
    const body = { ...credentials, ...(code === undefined ? {} : { totp: code }) };
    const { ceremony_id, use, add } = await call(authRoutes.beginPasskeySignIn, { body });
    if (use) return { step: { name: 'use', ceremony_id, options: use } };
    if (add) return { step: { name: 'add', ceremony_id, options: add } };
    throw new ApiError(0, null);
  } catch (error) {
    if (isAsked(error, 'totp_required')) return { step: { name: 'code', kind: 'app', toPasskey: true } };
    throw error;
  }
}

/** Completes the sign-in with the authenticator's response. */
export async function finish(
  answer: Parameters<typeof call<typeof authRoutes.finishPasskeySignIn>>[1]['body'],
): Promise<Next> {
  const { token, recovery_codes: codes } = await call(authRoutes.finishPasskeySignIn, { body: answer });
  return codes.length > 0 ? { step: { name: 'codes', token, codes } } : { token };
}
