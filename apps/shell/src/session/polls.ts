import { call, queryKeys } from '@karaar/api-client';
import { messagingRoutes } from '@karaar/contracts/messaging/http';
import { notificationsRoutes } from '@karaar/contracts/notifications/http';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAccountLanguage } from './account-language.ts';
import { profileQuery } from './profile-query.ts';
import { useSession } from './SessionProvider.tsx';

/** Milliseconds between two checks of the session state (spec §2 Shared layout). */
const POLL_MS = 30_000;

const unreadQuery = queryOptions({
  queryKey: queryKeys.unreadCount,
  queryFn: ({ signal }) => call(messagingRoutes.unreadCount, {}, { signal }),
});
const notificationsQuery = queryOptions({
  queryKey: queryKeys.unreadNotifications,
  queryFn: ({ signal }) => call(notificationsRoutes.unreadNotifications, {}, { signal }),
});
const balanceQuery = queryOptions({
  queryKey: queryKeys.balance,
  queryFn: ({ signal }) => call(walletRoutes.balance, {}, { signal }),
});

/** Returns the number of unread messages; 0 until it is known. */
export const useUnread = (): number => useQuery(unreadQuery).data?.unread_count ?? 0;

/** Returns the number of unread notifications; 0 until it is known. */
export const useUnreadNotifications = (): number => useQuery(notificationsQuery).data?.unread_count ?? 0;

/** Returns the wallet's balance in rupees, once it is known. */
export const useBalance = (): number | undefined => useQuery(balanceQuery).data?.balance;

/**
 * Polls the profile, the unread counts and the balance while logged in. A failed check changes nothing: the
 * next one follows in 30 seconds, and a 401 ends the session. Renders nothing, so that a response only
 * updates the parts that show it.
 */
export function SessionPolls(): null {
  const { replaceUser } = useSession();
  const { data: profile } = useQuery({ ...profileQuery, refetchInterval: POLL_MS });
  useQuery({ ...unreadQuery, refetchInterval: POLL_MS });
  useQuery({ ...balanceQuery, refetchInterval: POLL_MS });
  useQuery({ ...notificationsQuery, refetchInterval: POLL_MS });
  useAccountLanguage();
  useEffect(() => {
    if (profile) replaceUser(profile);
  }, [profile, replaceUser]);
  return null;
}
