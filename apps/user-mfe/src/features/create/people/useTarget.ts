import { call } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { userName } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../../shared/useShell.ts';

const ID_LENGTH = 8;
/** The number of results to search for the ID. */
const LIMIT = 20;

export type Target = {
  /** The name of the ID's user, once known. */
  name: string | null;
  fault: 'targetYourself' | 'targetUnknown' | null;
};

/**
 * Shows the name for a typed user ID: one wrong letter would invite another user. The server decides whether
 * that user can be invited.
 */
export function useTarget(charId: string): Target {
  const { char_id: own } = useUser();
  const whole = charId.length === ID_LENGTH && charId !== own;
  const found = useQuery({
    queryKey: ['users', 'named', charId],
    queryFn: ({ signal }) =>
      call(authRoutes.listUsers, { query: { search: charId, limit: LIMIT } }, { signal }),
    enabled: whole,
    staleTime: 60_000,
  });
  if (charId === own) return { name: null, fault: 'targetYourself' };
  if (!whole || !found.data) return { name: null, fault: null };
  const user = found.data.find(({ char_id }) => char_id === charId);
  return user ? { name: userName(user.name), fault: null } : { name: null, fault: 'targetUnknown' };
}
