import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** A list's filters in the address, kept by Back, reload and shared links. */
export type Filters<K extends string> = {
  values: Record<K, string>;
  /** Changes filters by key, and returns to the first page; empty ones are removed from the address. */
  change: (change: Readonly<Record<string, string>>, options?: { replace?: boolean }) => void;
  /** True if any filter is active. */
  any: boolean;
  clear: () => void;
  /** The start of the page; empty for the first one. */
  cursor: string;
  next: (cursor: string) => void;
  previous: () => void;
};

/** @param keys the names of the filters in the address */
export function useFilters<K extends string>(keys: readonly K[]): Filters<K> {
  const [address, setAddress] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { paged?: true } | null };
  const values = Object.fromEntries(keys.map((key) => [key, address.get(key) ?? ''])) as Record<K, string>;

  const change: Filters<K>['change'] = (changes, { replace = false } = {}) =>
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('cursor');
        for (const [key, value] of Object.entries(changes)) {
          if (value) after.set(key, value);
          else after.delete(key);
        }
        return after;
      },
      { replace, preventScrollReset: true },
    );
  return {
    values,
    change,
    any: keys.some((key) => values[key] !== ''),
    clear: () => setAddress(new URLSearchParams()),
    cursor: address.get('cursor') ?? '',
    next: (cursor) => {
      const after = new URLSearchParams(address);
      after.set('cursor', cursor);
      setAddress(after, { state: { paged: true } });
    },
    previous: () => {
      // Keyset pages only know the next page; the browser's history has the previous one.
      if (state?.paged) void navigate(-1);
      else change({});
    },
  };
}
