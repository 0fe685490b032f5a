import { call, createLiveClient, queryKeys, sessionStore } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { whenQuiet } from '../navigation/when-quiet.ts';

/** The socket of the page; screens get it from the shell's context. */
export const live = createLiveClient();

/** Prefix of queries about documents; the third part is the id of a single document. */
const DOCUMENTS = 'documents';
const MESSAGING = 'messaging';
const NOTIFICATIONS = 'notifications';

/** Reloads every list of documents, and the data of this document. */
function refreshDocument(queries: QueryClient, id: string): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey: [area, , about] }) => area === DOCUMENTS && (about === undefined || about === id),
  });
}

/**
 * Reloads everything after an outage of the socket.
 * @param since milliseconds since 1970: later responses are new enough
 */
function catchUp(queries: QueryClient, since = Infinity): void {
  const isStale = ({ state }: { state: { dataUpdatedAt: number } }) => state.dataUpdatedAt < since;
  for (const area of [DOCUMENTS, MESSAGING, NOTIFICATIONS])
    void queries.invalidateQueries({ queryKey: [area], predicate: isStale });
}

/**
 * Milliseconds from the first opening of the socket until data loaded before it is refreshed. Few changes are
 * likely in between, and a new page is busy.
 */
const SETTLED_MS = 5_000;

/** Milliseconds until every service knows the end of a session. */
const KNOWN_EVERYWHERE_MS = 1_000;

/** The API decides whether the session is over: a 401 ends it here. */
const askWhoIAm = () => void call(authRoutes.profile).catch(() => undefined);

/** Milliseconds between two polls while the socket is down. */
const FALLBACK_MS = 10_000;

/** Milliseconds over which all open pages spread their requests. */
const SPREAD_MS = 3_000;

/** Keeps the socket open while a user is signed in, and updates the page from its events. */
export function useLive(token: string | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!token) return;
    let asking: ReturnType<typeof setTimeout> | undefined;
    let wasUp = false;
    const cameUp = () => {
      if (wasUp) return catchUp(queries);
      wasUp = true;
      const since = Date.now();
      asking = setTimeout(() => catchUp(queries, since), SETTLED_MS);
    };
    const ends = [
      live.on('document.changed', ({ document_id }) => refreshDocument(queries, document_id)),
      // Confirms the delivery, whatever this page shows. The user's own messages have a client id.
      live.on('message.new', ({ message, unread_count }) => {
        if (unread_count !== undefined) queries.setQueryData(queryKeys.unreadCount, { unread_count });
        if (message.client_message_id === undefined)
          void live.say('delivered', { from: message.sender_id, up_to_seq: message.seq });
      }),
      live.on('unread', (count) => queries.setQueryData(queryKeys.unreadCount, count)),
      live.on('notifications', (count) => {
        queries.setQueryData(queryKeys.unreadNotifications, count);
        void queries.invalidateQueries({ queryKey: [NOTIFICATIONS, 'list'] });
      }),
      live.onState(() => live.isUp() && cameUp()),
      // All pages receive this at once, so their requests are spread.
      live.on('missed', () => {
        clearTimeout(asking);
        asking = setTimeout(() => catchUp(queries), Math.random() * SPREAD_MS);
      }),
    ];
    // The page's own requests come first.
    const callOff = whenQuiet(queries, () => {
      const close = live.open({
        token: sessionStore.token,
        onRefused: ({ status }) => {
          if (status === 401) setTimeout(askWhoIAm, KNOWN_EVERYWHERE_MS);
        },
      });
      ends.push(close);
    });
    const fallback = setInterval(() => {
      if (!live.isUp() && !document.hidden) catchUp(queries);
    }, FALLBACK_MS);
    return () => {
      clearInterval(fallback);
      clearTimeout(asking);
      callOff();
      for (const end of ends) end();
    };
  }, [token, queries]);
}
