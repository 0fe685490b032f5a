import { call } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { readCode, readPhone } from '@karaar/contracts/typed/read';
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

/**
 * Users to write to: the contacts that the search matches, and anybody whose whole ID, phone or e-mail the
 * search is. Other users are not listed: names with IDs would help scams.
 */
export const peopleQuery = (search: string) =>
  queryOptions({
    queryKey: ['users', 'all', search],
    queryFn: async ({ signal }) => {
      const query = { search, limit: PAGE };
      const [{ items }, named] = await Promise.all([
        call(messagingRoutes.conversations, { query }, { signal }),
        isWhole(search) ? call(authRoutes.listUsers, { query }, { signal }) : [],
      ]);
      const contacts = items.map(({ user }) => user);
      const listed = new Set(contacts.map(({ user_id }) => user_id));
      return [...contacts, ...named.filter(({ user_id }) => !listed.has(user_id))];
    },
  });

const isWhole = (search: string): boolean =>
  search.includes('@') || readCode(search) !== undefined || readPhone(search) !== undefined;
