import { call } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { messagingRoutes } from '@karaar/contracts/messaging/http';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

/**
 * Query keys of the chat; all begin with `messaging`, so that the shell can reload them after a lost
 * connection.
 */
export const chatKeys = {
  list: ['messaging', 'list'],
  thread: (userId: string) => ['messaging', 'thread', userId],
  person: (userId: string) => ['messaging', 'person', userId],
} as const;

/** Rows of the list per page. */
const PAGE = 30;

/** Requests the first page of the whole list, bypassing the cache. */
export const topOfChats = () => call(messagingRoutes.conversations, { query: { search: '', limit: PAGE } });

/** The chat list, page by page. */
export const chatsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...chatKeys.list, search],
    queryFn: ({ pageParam, signal }) =>
      call(
        messagingRoutes.conversations,
        { query: { search, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** The other user of a chat, for the header. */
export const personQuery = (userId: string) =>
  queryOptions({
    queryKey: chatKeys.person(userId),
    queryFn: ({ signal }) => call(messagingRoutes.person, { params: { id: userId } }, { signal }),
  });

/** Users to write to: the results of the search; without a search, the contacts. */
export const peopleQuery = (search: string) =>
  queryOptions({
    queryKey: ['users', 'all', search],
    queryFn: async ({ signal }) => {
      if (search) return call(authRoutes.listUsers, { query: { search, limit: PAGE } }, { signal });
      const query = { search, limit: PAGE };
      const { items } = await call(messagingRoutes.conversations, { query }, { signal });
      return items.map(({ user }) => user);
    },
  });
