import { call, createLiveClient, queryKeys, sessionStore } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { whenQuiet } from '../navigation/when-quiet.ts';

/** The socket of the page; screens get it by the shell's context. */
export const live = createLiveClient();

/** Queries about documents begin with this; those about one document name its id as their third part. */
const DOCUMENTS = 'documents';
const MESSAGING = 'messaging';
const NOTIFICATIONS = 'notifications';

/** Has every list of documents, and what is shown of this one, asked for again. */
function refreshDocument(queries: QueryClient, id: string): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey: [area, , about] }) => area === DOCUMENTS && (about === undefined || about === id),
  });
}

/**
 * After a time without the socket anything may have changed.
 * @param since milliseconds since 1970: answers from then on are new enough
 */
function catchUp(queries: QueryClient, since = Infinity): void {
  const isStale = ({ state }: { state: { dataUpdatedAt: number } }) => state.dataUpdatedAt < since;
  for (const area of [DOCUMENTS, MESSAGING, NOTIFICATIONS])
    void queries.invalidateQueries({ queryKey: [area], predicate: isStale });
}

/**
 * Milliseconds from the first opening of the socket to asking for what may have changed between the page's answers and
 * it. Little can have changed, and a page that has just loaded is being used.
 */
const SETTLED_MS = 5_000;

/** Milliseconds after which the end of a session is known to every service. */
const KNOWN_EVERYWHERE_MS = 1_000;

/** Whether the session is over is for the API to say: a 401 ends it here, and anything else leaves it. */
const askWhoIAm = () => void call(authRoutes.profile).catch(() => undefined);

/** Milliseconds between two looks while the socket is away. */
const FALLBACK_MS = 10_000;

/** Milliseconds over which the pages of everybody ask again. */
const SPREAD_MS = 3_000;

/** Keeps the socket open while a user is signed in, and updates the page from the events on it. */
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
      // The sender learns that it has arrived, whatever this page shows. One's own come with the id given to them.
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
      // Every page is told at once; not all are to ask at once.
      live.on('missed', () => {
        clearTimeout(asking);
        asking = setTimeout(() => catchUp(queries), Math.random() * SPREAD_MS);
      }),
    ];
    // The page comes first.
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
