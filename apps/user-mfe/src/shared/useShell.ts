import type { SessionUser, ShellContext } from '@karaar/api-client';
import { useOutletContext } from 'react-router';

/** Returns the context that the shell gives every screen: the session and its actions. */
export const useShell = () => useOutletContext<ShellContext>();

/**
 * Returns the signed-in user; only for screens that the shell shows to signed-in users.
 * @throws Error without a user
 */
export function useUser(): SessionUser {
  const { user } = useShell();
  if (!user) throw new Error('This screen is for signed-in users only');
  return user;
}
