/** Maps between the server's orders and a table's headers. */
type Sorting = { key: string; descending: boolean };

/** Returns the column of an order; an empty order means newest first. */
export function sortingOf(sort: string): Sorting {
  switch (sort) {
    case 'oldest':
      return { key: 'created', descending: false };
    case 'name':
      return { key: 'name', descending: false };
    case '-name':
      return { key: 'name', descending: true };
    case 'amount':
      return { key: 'amount', descending: true };
    case '-amount':
      return { key: 'amount', descending: false };
    default:
      return { key: 'created', descending: true };
  }
}

/** Returns the order for a press on a header; empty for newest first, which is left out of the address. */
export function sortOf({ key, descending }: Sorting): string {
  if (key === 'name') return descending ? '-name' : 'name';
  if (key === 'amount') return descending ? 'amount' : '-amount';
  return descending ? '' : 'oldest';
}
