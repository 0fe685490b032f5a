/** Responses that are available offline: those of queries with `meta: { keep: true }`. Public texts only. */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

const PREFIX = 'kept:';

type Kept = { key: QueryKey; data: unknown; at: number };

/** Restores stored responses with their age: they are shown at once and requested again. */
function restore(queries: QueryClient): void {
  for (const name of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
    try {
      const { key, data, at } = JSON.parse(localStorage.getItem(name) ?? '') as Kept;
      // A wrong clock dated it in the future: by its age it would be fresh until that day.
      queries.setQueryData(key, data, { updatedAt: at <= Date.now() ? at : 0 });
    } catch {
      // Invalid or truncated: the page is requested when it is opened.
      localStorage.removeItem(name);
    }
  }
}

function keep({ queryKey, queryHash, state }: Query): void {
  const kept: Kept = { key: queryKey, data: state.data, at: state.dataUpdatedAt };
  try {
    localStorage.setItem(`${PREFIX}${queryHash}`, JSON.stringify(kept));
  } catch (error) {
    // Storage is full: only this page will be missing offline.
    reportError(error);
  }
}

/** Stores the responses of such queries in local storage, and restores stored ones. */
export function keepAnswers(queries: QueryClient): void {
  restore(queries);
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.meta?.['keep'] !== true) return;
    if (query.state.status === 'success' && query.state.fetchStatus === 'idle') keep(query);
  });
}
