import { call } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { messagingRoutes } from '@karaar/contracts/messaging/http';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

/** Keys of what the chat knows; all begin with `messaging`, which the shell has asked again after a lost connection. */
export const chatKeys = {
  list: ['messaging', 'list'],
  thread: (userId: string) => ['messaging', 'thread', userId],
  person: (userId: string) => ['messaging', 'person', userId],
} as const;

/** Lines of the list per page. */
const PAGE = 30;

/** The first page of the whole list, without what is known. */
export const topOfChats = () => call(messagingRoutes.conversations, { query: { search: '', limit: PAGE } });

/** The chat list, a page at a time. */
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

/** Whom one writes with, as the header shows them. */
export const personQuery = (userId: string) =>
  queryOptions({
    queryKey: chatKeys.person(userId),
    queryFn: ({ signal }) => call(messagingRoutes.person, { params: { id: userId } }, { signal }),
  });

/** Whom one may write to: those whom the search finds; before it, the people one knows. */
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
