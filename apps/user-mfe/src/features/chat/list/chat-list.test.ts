import type { Conversation } from '@karaar/contracts/messaging/http';
import { unique, withTop, type ListPage } from './chat-list.ts';

const chat = (user_id: string, unread_count = 0): Conversation => ({
  user: {
    user_id,
    char_id: '',
    name: user_id,
    email: '',
    phone_no: '',
    is_active: true,
    shared_documents: 0,
    blocked: false,
  },
  last_message: null,
  unread_count,
});
const page = (next_cursor: string | null, ...ids: string[]): ListPage => ({
  items: ids.map((id) => chat(id)),
  next_cursor,
});
const shown = ({ pages }: { pages: ListPage[] }) =>
  unique(pages.flatMap(({ items }) => items)).map(({ user, unread_count }) => `${user.name}${unread_count}`);

it('has the newest writer at the top, once, and loses no chat that moved down', () => {
  const known = {
    pages: [page('2', 'a', 'b'), page('3', 'c', 'd'), page(null, 'e')],
    pageParams: ['', '2', '3'],
  };
  const fresh = { items: [chat('d', 1), chat('a')], next_cursor: 'other' };
  const next = withTop(known, fresh);
  expect(shown(next)).toEqual(['d1', 'a0', 'b0', 'c0', 'e0']);
  // Paging continues from the same place.
  expect(next.pages.map(({ next_cursor }) => next_cursor)).toEqual(['2', '3', null]);
  expect(shown(withTop(next, { items: [chat('new', 2), chat('d', 1)], next_cursor: 'x' }))).toEqual([
    'new2',
    'd1',
    'a0',
    'b0',
    'c0',
    'e0',
  ]);
});

it('is the new page if there is only one page', () => {
  const fresh = page('2', 'b', 'a');
  expect(withTop({ pages: [page(null, 'a')] }, fresh).pages).toEqual([fresh]);
});
