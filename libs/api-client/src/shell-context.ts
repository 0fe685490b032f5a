import type { LoginAnswer, User } from '@karaar/contracts/auth/http';
import type { Static } from 'typebox';
import type { LiveClient } from './live.ts';
import type { SessionUser } from './session-storage.ts';

/** What the shell gives the screens of a remote (React Router's outlet context). */
export type ShellContext = {
  /** The signed-in user; null on the screens before sign-in. */
  user: SessionUser | null;
  /**
   * Takes a login answer: stores the session and fetches the profile. Never fails (spec §4 Session).
   * @returns the path to go on to: the one that was asked for before sign-in, else /dashboard
   */
  signIn: (answer: Static<typeof LoginAnswer>, phoneNo: string) => Promise<string>;
  /** Ends the session and goes to /login. */
  signOut: () => Promise<void>;
  /** Puts a fresh profile in place of the session's user. */
  replaceUser: (profile: User) => void;
  /** The socket of the page: what the server tells, and what screens may say. */
  live: LiveClient;
  /** Takes the token of an admin's login. @returns the path to go on to, /admin/users unless another was asked for */
  adminSignIn: (token: string) => string;
  /** Forgets the admin's token and goes to /admin/login. */
  adminSignOut: () => void;
};

/** Query keys that shell and remotes share, so that a payment in a screen refreshes the sidebar's balance. */
export const queryKeys = {
  profile: ['profile'],
  unreadCount: ['messaging', 'unread-count'],
  unreadNotifications: ['notifications', 'unread-count'],
  balance: ['wallet', 'balance'],
} as const;
