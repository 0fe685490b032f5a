import type { Answer, ShellContext } from '@karaar/api-client';
import type { authRoutes } from '@karaar/contracts/auth/http';
import type { AdminRole } from '@karaar/contracts/kit';
import { useOutletContext } from 'react-router';

export type Me = Answer<typeof authRoutes.adminMe>;

/** The layout's context for every admin screen: the shell's session and the signed-in admin. */
export type AdminContext = ShellContext & { me: Me };

export const useAdmin = () => useOutletContext<AdminContext>();

/**
 * Returns true if the signed-in admin has one of these roles. The services decide; this only hides refused
 * actions.
 */
export function useHasRole(roles: readonly AdminRole[]): boolean {
  const { me } = useAdmin();
  return roles.includes(me.role);
}
