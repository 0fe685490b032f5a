import type { SessionUser, ShellContext } from '@karaar/api-client';
import { useOutletContext } from 'react-router';

/** What the shell gives every screen: the session and what can be done with it. */
export const useShell = () => useOutletContext<ShellContext>();

/** The signed-in user; only on screens that the shell shows to signed-in users. */
export function useUser(): SessionUser {
  const { user } = useShell();
  if (!user) throw new Error('This screen is for signed-in users only');
  return user;
}
