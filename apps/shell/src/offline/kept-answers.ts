/** Answers that a page shows also without a network: those of queries with `meta: { keep: true }`. Public texts only. */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

const PREFIX = 'kept:';

type Kept = { key: QueryKey; data: unknown; at: number };

/** Puts what earlier visits have seen into the queries, as old as it is: it is shown at once and asked for again. */
function restore(queries: QueryClient): void {
  for (const name of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
    try {
      const { key, data, at } = JSON.parse(localStorage.getItem(name) ?? '') as Kept;
      // A wrong clock dated it in the future: by its age it would be fresh until that day.
      queries.setQueryData(key, data, { updatedAt: at <= Date.now() ? at : 0 });
    } catch {
      // Not ours, or half of it: the page is asked for when it is opened.
      localStorage.removeItem(name);
    }
  }
}

function keep({ queryKey, queryHash, state }: Query): void {
  const kept: Kept = { key: queryKey, data: state.data, at: state.dataUpdatedAt };
  try {
    localStorage.setItem(`${PREFIX}${queryHash}`, JSON.stringify(kept));
  } catch (error) {
    // Storage is full: this page will not be there offline, and nothing else is lost.
    reportError(error);
  }
}

/** Keeps the answers of such queries in local storage, and begins with those that are there. */
export function keepAnswers(queries: QueryClient): void {
  restore(queries);
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.meta?.['keep'] !== true) return;
    if (query.state.status === 'success' && query.state.fetchStatus === 'idle') keep(query);
  });
}
