/** The state of the list in the address: search, status, order and page; pure. */
import type { Document, DocumentSort } from '@karaar/contracts/documents/http';
import { DOCUMENT_STATUSES } from '@karaar/contracts/documents/status';

const SORTS: readonly DocumentSort[] = ['newest', 'oldest', 'changed', 'name', '-name'];

export type ListState = {
  search: string;
  status: Document['status'] | '';
  /** Shows archived documents only. */
  archived: boolean;
  /** One of the user's own labels; undefined for all documents. */
  label?: string | undefined;
  sort: DocumentSort;
  /** The end of the previous page; empty on the first page. */
  cursor: string;
};

/** Returns the state of an address; unknown values are ignored. */
export function readState(address: URLSearchParams): ListState {
  const status = address.get('status') ?? '';
  const sort = address.get('sort') ?? '';
  return {
    search: (address.get('q') ?? '').slice(0, 100),
    status: DOCUMENT_STATUSES.find((each) => each === status) ?? '',
    archived: address.has('archived'),
    label: address.get('label')?.slice(0, 100) || undefined,
    sort: SORTS.find((each) => each === sort) ?? 'newest',
    cursor: (address.get('after') ?? '').slice(0, 600),
  };
}

/** Returns an address with a change. Any change other than the page returns to the first page. */
export function writeState(address: URLSearchParams, change: Partial<ListState>): URLSearchParams {
  const next = { ...readState(address), cursor: '', ...change };
  const written = new URLSearchParams(address);
  for (const [name, value, normal] of [
    ['q', next.search, ''],
    ['status', next.status, ''],
    ['archived', next.archived ? '1' : '', ''],
    ['label', next.label ?? '', ''],
    ['sort', next.sort, 'newest'],
    ['after', next.cursor, ''],
  ] as const) {
    if (value === normal) written.delete(name);
    else written.set(name, value);
  }
  return written;
}

/** Returns the sorted column, as the table's headers show it. */
export function sortingOf(sort: DocumentSort): { key: string; descending: boolean } {
  if (sort === 'name' || sort === '-name') return { key: 'name', descending: sort === '-name' };
  return sort === 'changed'
    ? { key: 'changed', descending: true }
    : { key: 'created', descending: sort === 'newest' };
}

/** Returns the order for a press on a header; by age, the newest come first. */
export function sortOf(sorting: { key: string; descending: boolean }, now: DocumentSort): DocumentSort {
  if (sorting.key === 'name') return sorting.descending ? '-name' : 'name';
  return now === 'newest' ? 'oldest' : 'newest';
}
