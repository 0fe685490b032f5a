import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** A list's filters in the address: back, reload and a link that was sent on keep them. */
export type Filters<K extends string> = {
  values: Record<K, string>;
  /** Changes some, named by their keys, and begins at the first page; empty ones leave the address. */
  change: (change: Readonly<Record<string, string>>, options?: { replace?: boolean }) => void;
  /** Whether any filter is in force. */
  any: boolean;
  clear: () => void;
  /** Where the page begins; empty for the first one. */
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

  const change: Filters<K>['change'] = (wish, { replace = false } = {}) =>
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('cursor');
        for (const [key, value] of Object.entries(wish)) {
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
      // Keyset pages know only what follows: the one before is the browser's.
      if (state?.paged) void navigate(-1);
      else change({});
    },
  };
}
