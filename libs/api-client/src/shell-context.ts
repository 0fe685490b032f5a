import type { LoginAnswer, User } from '@karaar/contracts/auth/http';
import type { Static } from 'typebox';
import type { LiveClient } from './live.ts';
import type { SessionUser } from './session-storage.ts';

/** The session of a page expired, or a link to a document was opened without one. */
export type SignInReason = 'ended' | 'document';

/** The context that the shell gives the screens of a remote (React Router's outlet context). */
export type ShellContext = {
  /** The signed-in user; null on the screens before sign-in. */
  user: SessionUser | null;
  /**
   * Stores the session of a login response and fetches the profile. Never fails (spec §4 Session).
   * @returns the path to continue: the one requested before sign-in, else /dashboard
   */
  signIn: (answer: Static<typeof LoginAnswer>, phoneNo: string) => Promise<string>;
  /** Returns the reason why the user must sign in, if the page before shows one. */
  signInReason: () => SignInReason | null;
  /** Ends the session and navigates to /login. */
  signOut: () => Promise<void>;
  /** Replaces the session's user by a fresh profile. */
  replaceUser: (profile: User) => void;
  /** The socket of the page, for events and commands. */
  live: LiveClient;
  /**
   * Stores the token of an admin's login.
   * @returns the path to continue, /admin/users by default
   */
  adminSignIn: (token: string) => string;
  /** Deletes the admin's token and navigates to /admin/login. */
  adminSignOut: () => void;
};

/** Query keys that shell and remotes share, so that a payment in a screen refreshes the sidebar's balance. */
export const queryKeys = {
  /** The first part of keys of unsent input, which outlives an expired session. */
  entered: ['entered'],
  profile: ['profile'],
  unreadCount: ['messaging', 'unread-count'],
  unreadNotifications: ['notifications', 'unread-count'],
  balance: ['wallet', 'balance'],
} as const;
