/** The steps of an admin's sign-in, as the service asks for them one after the other (docs/adr/0066). */
import { ApiError, call, type Answer } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';

type Begun = Answer<typeof authRoutes.beginPasskeySignIn>;

export type Credentials = { username: string; password: string };
/** What is asked for now. */
export type Step =
  | { name: 'password' }
  /** `lost`: a recovery code in place of a passkey. `toPasskey`: it leads to a new passkey and not into the session. */
  | { name: 'code'; kind: 'app' | 'recovery' | 'lost'; toPasskey: boolean }
  | { name: 'use'; ceremony_id: string; options: NonNullable<Begun['use']> }
  | { name: 'add'; ceremony_id: string; options: NonNullable<Begun['add']> }
  /** Recovery codes to write down before the session begins. */
  | { name: 'codes'; token: string; codes: readonly string[] };

/** Either what is asked for next, or the token of the session. */
export type Next = { step: Step } | { token: string };

const isAsked = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

/** Tries name, password and perhaps a code. @throws ApiError when they are refused */
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

/** What to do with a passkey: use the one there is, or add one. @throws ApiError when credentials or code are refused */
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

/** Ends the sign-in by what the authenticator answered. */
export async function finish(
  answer: Parameters<typeof call<typeof authRoutes.finishPasskeySignIn>>[1]['body'],
): Promise<Next> {
  const { token, recovery_codes: codes } = await call(authRoutes.finishPasskeySignIn, { body: answer });
  return codes.length > 0 ? { step: { name: 'codes', token, codes } } : { token };
}
