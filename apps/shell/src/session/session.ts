/** The session state machine (spec §4 Session), without React and browser. */
import { profileCompleteness, type SessionUser } from '@karaar/api-client';
import type { User } from '@karaar/contracts/auth/http';

export type SessionState = {
  user: SessionUser | null;
  token: string | null;
  isAuthenticated: boolean;
};

export type SessionAction =
  | { type: 'signed-in'; user: SessionUser; token: string }
  | { type: 'signed-out' }
  | { type: 'user-updated'; user: SessionUser };

export const signedOut: SessionState = { user: null, token: null, isAuthenticated: false };

/** Login success sets user and token; logout clears both; a user update replaces the user. */
export function sessionReducer(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case 'signed-in':
      return { user: action.user, token: action.token, isAuthenticated: true };
    case 'signed-out':
      return signedOut;
    case 'user-updated':
      // A response after the logout must not restore the user; an unchanged one changes nothing.
      if (!state.isAuthenticated || JSON.stringify(state.user) === JSON.stringify(action.user)) return state;
      return { ...state, user: action.user };
  }
}

/** The result of a stored session: continue with its user, ask the server, or start logged out. */
export type Restored =
  | { kind: 'signed-in'; user: SessionUser; token: string }
  | { kind: 'fetch-profile'; token: string }
  | { kind: 'signed-out' };

/**
 * Decides the start from local storage.
 * @param userText the stored user record, unparsed; an invalid one logs out
 */
export function restore(token: string | null, userText: string | null): Restored {
  if (!token) return { kind: 'signed-out' };
  if (userText === null) return { kind: 'fetch-profile', token };
  const user = parseUser(userText);
  return user ? { kind: 'signed-in', user, token } : { kind: 'signed-out' };
}

function parseUser(text: string): SessionUser | null {
  try {
    const value: unknown = JSON.parse(text);
    return isSessionUser(value) ? value : null;
  } catch {
    // Not JSON: another program wrote it, or it is truncated.
    return null;
  }
}

function isSessionUser(value: unknown): value is SessionUser {
  if (typeof value !== 'object' || value === null) return false;
  const user = value as Partial<SessionUser>;
  const texts = [user.user_id, user.char_id, user.name, user.email, user.phone_no];
  return (
    texts.every((text) => typeof text === 'string') && typeof user.profile?.completionPercentage === 'number'
  );
}

/** Returns the part of a profile that the browser stores: only what the layout shows. */
export function sessionUser(profile: User): SessionUser {
  return {
    user_id: profile.user_id,
    char_id: profile.char_id,
    name: profile.name,
    email: profile.email,
    phone_no: profile.phone_no,
    is_admin: profile.is_admin,
    profile: profileCompleteness(profile),
  };
}

/** Returns a user from the login response if the profile cannot be fetched: never an admin. */
export function minimalUser(login: { user_id: string; char_id: string }, phoneNo: string): SessionUser {
  return {
    user_id: login.user_id,
    char_id: login.char_id,
    name: '',
    email: '',
    phone_no: phoneNo,
    is_admin: false,
    profile: profileCompleteness({ phone_no: phoneNo }),
  };
}
