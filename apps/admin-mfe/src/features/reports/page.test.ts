import { askFor, pageOf } from './page.ts';

const rows = ['5', '4', '3', '2', '1'].map((_id) => ({ _id }));

/** Answers as the service does: up to `limit` rows after the cursor. */
const load = (cursor: string, limit: number) => {
  const asked = askFor({ status: '', cursor, limit });
  const from = rows.findIndex(({ _id }) => _id === asked.cursor) + 1;
  return pageOf(rows.slice(from, from + Number(asked.limit)), limit);
};

it('pages through all rows once, and the last page has no next one', () => {
  const first = load('', 3);
  const second = load(first.next_cursor ?? '', 3);
  expect([first.items.length, second.items.length]).toEqual([3, 2]);
  expect([...first.items, ...second.items]).toEqual(rows);
  expect(second.next_cursor).toBeNull();
});

it('offers no page after an exactly full one, nor after an empty one', () => {
  expect(load('', rows.length).next_cursor).toBeNull();
  expect(pageOf([], 3)).toEqual({ items: [], next_cursor: null });
});

it('requests open reports by default', () => {
  const asked = (status: string) => askFor({ status, cursor: '', limit: 3 }).status;
  expect(['', 'open', 'resolved', 'all'].map(asked)).toEqual(['open', 'open', 'resolved', '']);
});
