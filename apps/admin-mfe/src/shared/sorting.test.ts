import { sortingOf, sortOf } from './sorting.ts';

it('an order and its column header map to each other', () => {
  for (const sort of ['', 'oldest', 'name', '-name', 'amount', '-amount'])
    expect(sortOf(sortingOf(sort))).toBe(sort);
  expect(sortingOf('newest')).toEqual({ key: 'created', descending: true });
});
