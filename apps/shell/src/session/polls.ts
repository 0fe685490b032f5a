import { call, queryKeys } from '@karaar/api-client';
import { messagingRoutes } from '@karaar/contracts/messaging/http';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { profileQuery } from './profile-query.ts';
import { useSession } from './SessionProvider.tsx';

/** Milliseconds between two checks of the session state (spec §2 Shared layout). */
const POLL_MS = 30_000;

/**
 * Re-checks the session while logged in: the profile, the unread count, and the balance that the layout shows.
 * A failed check changes nothing on the screen: the next one comes in 30 seconds, and a 401 ends the session.
 */
export function useSessionPolls(): { unread: number; balance: number | undefined } {
  const { replaceUser } = useSession();
  const profile = useQuery({ ...profileQuery, refetchInterval: POLL_MS });
  const unread = useQuery({
    queryKey: queryKeys.unreadCount,
    queryFn: ({ signal }) => call(messagingRoutes.unreadCount, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  const wallet = useQuery({
    queryKey: queryKeys.balance,
    queryFn: ({ signal }) => call(walletRoutes.balance, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  useEffect(() => {
    if (profile.data) replaceUser(profile.data);
  }, [profile.data, replaceUser]);
  return { unread: unread.data?.unread_count ?? 0, balance: wallet.data?.balance };
}
