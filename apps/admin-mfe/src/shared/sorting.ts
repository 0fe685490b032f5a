/** Between the server's names of an order and a table's head. */
type Sorting = { key: string; descending: boolean };

/** Which column an order is in; newest first is what an empty one means. */
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

/** The order that a press on a head asks for; empty for newest first, which needs no word in the address. */
export function sortOf({ key, descending }: Sorting): string {
  if (key === 'name') return descending ? '-name' : 'name';
  if (key === 'amount') return descending ? 'amount' : '-amount';
  return descending ? '' : 'oldest';
}
