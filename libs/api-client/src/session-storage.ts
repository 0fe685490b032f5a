import type { CompletenessResult } from '@karaar/contracts/profile-completeness';

/**
 * The signed-in user as the browser stores it: only the data that the layout shows (design §3 Sessions). The
 * eight profile fields stay on the server; only the completeness result is stored.
 */
export type SessionUser = {
  user_id: string;
  char_id: string;
  name: string;
  email: string;
  phone_no: string;
  is_admin: boolean;
  profile: CompletenessResult;
};

const TOKEN = 'token';
const USER = 'user';
const ADMIN_TOKEN = 'admin_token';
const BROWSER = 'browser';
/** Written for a moment, so that other tabs can tell a sign-out from an expired session. */
const SIGNED_OUT = 'signed_out';

/** Fired on window when a 401 ended the session; the shell then shows /login. */
export const SESSION_ENDED = 'karaar:session-ended';

/** Fired on window when a 401 ended the admin's session; the shell then shows /admin/login. */
export const ADMIN_SESSION_ENDED = 'karaar:admin-session-ended';

/** The session in local storage (spec §9: the admin token, the user token and the user record). */
export const sessionStore = {
  token: () => localStorage.getItem(TOKEN),
  adminToken: () => localStorage.getItem(ADMIN_TOKEN),
  /** Returns the stored user record as text; the session machine parses it. */
  userText: () => localStorage.getItem(USER),
  saveToken: (token: string) => localStorage.setItem(TOKEN, token),
  saveUser: (user: SessionUser) => localStorage.setItem(USER, JSON.stringify(user)),
  clear: () => {
    localStorage.removeItem(TOKEN);
    localStorage.removeItem(USER);
  },
  /** Tells the other tabs, which then delete the user's input as well. */
  signOut: () => {
    localStorage.setItem(SIGNED_OUT, '1');
    localStorage.removeItem(SIGNED_OUT);
  },
  /** Returns true if the storage event is a sign-out in another tab. */
  isSignOut: ({ key, newValue }: StorageEvent) => key === SIGNED_OUT && newValue !== null,
  saveAdminToken: (token: string) => localStorage.setItem(ADMIN_TOKEN, token),
  /** The user's session is separate and stays. */
  clearAdmin: () => localStorage.removeItem(ADMIN_TOKEN),
};

/**
 * Returns the random secret of this browser, created on first use. It outlives the session: a browser that
 * has signed in before gets a code even while other users request codes for the same number (design §3 OTP).
 */
export function browserSecret(): string {
  const kept = localStorage.getItem(BROWSER);
  if (kept !== null && /^[0-9a-f]{32}$/.test(kept)) return kept;
  const made = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  localStorage.setItem(BROWSER, made);
  return made;
}
