import { call, callIfChanged, queryKeys } from '@karaar/api-client';
import { messagingRoutes } from '@karaar/contracts/messaging/http';
import type { Message } from '@karaar/contracts/messaging/http';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useShell, useUser } from '../../../shared/useShell.ts';
import { chatKeys } from '../queries.ts';
import { EMPTY, joins, lastSeq, mark, merge, newestUnread, type ThreadState } from './thread-state.ts';
import { useIsUp } from '../useLive.ts';

/** Milliseconds between two requests while the socket is down (spec §9). */
const POLL_MS = 1_000;
/**
 * Messages per page: the newest page, and an older one, which is larger because scrolling back usually
 * continues.
 */
const PAGE = 50;
const OLDER_PAGE = 100;

const conversation = (userId: string, query: { before?: number; after?: number; limit: number }) =>
  ({ params: { id: userId }, query: { ...query, peek: true } }) as const;

/** Loads the newest page, and the messages between it and the loaded ones. */
async function sync(userId: string, known: ThreadState, signal: AbortSignal): Promise<ThreadState> {
  const input = conversation(userId, { limit: PAGE });
  const news = await callIfChanged(messagingRoutes.conversation, input, { etag: known.etag, signal });
  if (!news) return known;
  let state: ThreadState = { ...known, etag: news.etag };
  while (!joins(state, news.answer)) {
    const next = conversation(userId, { after: lastSeq(state), limit: 200 });
    const missed = await call(messagingRoutes.conversation, next, { signal });
    if (missed.length === 0) break;
    state = merge(state, missed);
  }
  return merge(state, news.answer);
}

/**
 * Keeps a conversation in sync: by socket events, by a request when the socket reconnects, by polls while it
 * is down.
 */
export function useThread(userId: string) {
  const queries = useQueryClient();
  const { live } = useShell();
  const me = useUser().user_id;
  const up = useIsUp();
  const key = chatKeys.thread(userId);
  const known = useCallback(
    () => queries.getQueryData<ThreadState>(chatKeys.thread(userId)) ?? EMPTY,
    [queries, userId],
  );
  const thread = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const synced = await sync(userId, known(), signal);
      // Socket events may have arrived meanwhile.
      const { messages } = known();
      return messages === synced.messages ? synced : { ...merge(synced, messages), etag: synced.etag };
    },
    refetchInterval: up ? false : POLL_MS,
    // Deep comparison of a long conversation at each poll would cost more than it saves.
    structuralSharing: false,
  });

  const change = useCallback(
    (by: (state: ThreadState) => ThreadState) =>
      queries.setQueryData<ThreadState>(chatKeys.thread(userId), (state) => (state ? by(state) : state)),
    [queries, userId],
  );
  const add = useCallback(
    (message: Message) => {
      const state = queries.getQueryData<ThreadState>(chatKeys.thread(userId));
      if (state && message.seq > lastSeq(state) + 1)
        void queries.invalidateQueries({ queryKey: chatKeys.thread(userId) });
      else change((now) => merge(now, [message]));
    },
    [change, queries, userId],
  );

  useEffect(() => {
    const ends = [
      live.on('message.new', ({ message }) => {
        if (message.sender_id === userId || message.receiver_id === userId) add(message);
      }),
      live.on('message.read', ({ reader_id, up_to_seq }) => {
        if (reader_id === userId)
          change((state) => mark(state, me, up_to_seq, { is_read: true, is_delivered: true }));
      }),
      live.on('message.delivered', ({ receiver_id, up_to_seq }) => {
        if (receiver_id === userId) change((state) => mark(state, me, up_to_seq, { is_delivered: true }));
      }),
    ];
    return () => ends.forEach((end) => end());
  }, [live, userId, me, add, change]);

  useReading(userId, thread.data, change);

  const loading = useRef(false);
  const loadOlder = useCallback(async () => {
    const first = known().messages[0];
    if (loading.current || !first || first.seq <= 1) return;
    loading.current = true;
    try {
      const older = conversation(userId, { before: first.seq, limit: OLDER_PAGE });
      const page = await call(messagingRoutes.conversation, older);
      change((state) => merge(state, page));
    } finally {
      loading.current = false;
    }
  }, [known, userId, change]);

  return { thread, add, loadOlder };
}

/** Reports messages as read once they are loaded and the page is visible. */
function useReading(
  userId: string,
  state: ThreadState | undefined,
  change: (by: (state: ThreadState) => ThreadState) => unknown,
): void {
  const queries = useQueryClient();
  const me = useUser().user_id;
  const unread = state ? newestUnread(state, me) : null;
  const seq = unread?.seq ?? 0;
  useEffect(() => {
    if (seq === 0) return;
    const reportRead = () => {
      if (document.visibilityState !== 'visible') return;
      call(messagingRoutes.markRead, { params: { id: userId }, body: { up_to_seq: seq } })
        .then((count) => {
          queries.setQueryData(queryKeys.unreadCount, count);
          change((now) => mark(now, userId, seq, { is_read: true }));
          void queries.invalidateQueries({ queryKey: chatKeys.list });
        })
        // The next message, focus or poll reports it again.
        .catch(() => undefined);
    };
    reportRead();
    document.addEventListener('visibilitychange', reportRead);
    return () => document.removeEventListener('visibilitychange', reportRead);
  }, [seq, userId, queries, change]);
}
