/** What of the list is shown, as the address says it: search, status, order and page; pure. */
import type { Document, DocumentSort } from '@karaar/contracts/documents/http';
import { DOCUMENT_STATUSES } from '@karaar/contracts/documents/status';

const SORTS: readonly DocumentSort[] = ['newest', 'oldest', 'changed', 'name', '-name'];

export type ListState = {
  search: string;
  status: Document['status'] | '';
  sort: DocumentSort;
  /** Where the page before ended; empty on the first page. */
  cursor: string;
};

/** The list's state as its address has it; values that the list does not know are ignored. */
export function readState(address: URLSearchParams): ListState {
  const status = address.get('status') ?? '';
  const sort = address.get('sort') ?? '';
  return {
    search: (address.get('q') ?? '').slice(0, 100),
    status: DOCUMENT_STATUSES.find((each) => each === status) ?? '',
    sort: SORTS.find((each) => each === sort) ?? 'newest',
    cursor: (address.get('after') ?? '').slice(0, 600),
  };
}

/** Writes a change into an address. Any but one of the page leads back to the first page. */
export function writeState(address: URLSearchParams, change: Partial<ListState>): URLSearchParams {
  const next = { ...readState(address), cursor: '', ...change };
  const written = new URLSearchParams(address);
  for (const [name, value, normal] of [
    ['q', next.search, ''],
    ['status', next.status, ''],
    ['sort', next.sort, 'newest'],
    ['after', next.cursor, ''],
  ] as const) {
    if (value === normal) written.delete(name);
    else written.set(name, value);
  }
  return written;
}

/** The column by which a list is sorted, as the table's headers show it. */
export function sortingOf(sort: DocumentSort): { key: string; descending: boolean } {
  if (sort === 'name' || sort === '-name') return { key: 'name', descending: sort === '-name' };
  return sort === 'changed'
    ? { key: 'changed', descending: true }
    : { key: 'created', descending: sort === 'newest' };
}

/** The order that a press on a header asks for; by age the newest come first. */
export function sortOf(sorting: { key: string; descending: boolean }, now: DocumentSort): DocumentSort {
  if (sorting.key === 'name') return sorting.descending ? '-name' : 'name';
  return now === 'newest' ? 'oldest' : 'newest';
}
