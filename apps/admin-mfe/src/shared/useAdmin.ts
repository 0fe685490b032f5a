import type { Answer, ShellContext } from '@karaar/api-client';
import type { authRoutes } from '@karaar/contracts/auth/http';
import type { AdminRole } from '@karaar/contracts/kit';
import { useOutletContext } from 'react-router';

export type Me = Answer<typeof authRoutes.adminMe>;

/** What the layout gives every admin screen: the shell's session and who is signed in. */
export type AdminContext = ShellContext & { me: Me };

export const useAdmin = () => useOutletContext<AdminContext>();

/** Whether the signed-in admin has one of these roles. The services decide; this only hides what they would refuse. */
export function useHasRole(roles: readonly AdminRole[]): boolean {
  const { me } = useAdmin();
  return roles.includes(me.role);
}
