/** Pages of reports, of a service that answers with rows alone. */
import type { Input } from '@karaar/api-client';
import type { reportRoutes } from '@karaar/contracts/messaging/reports';

type Query = NonNullable<Input<typeof reportRoutes.adminReports>['query']>;

/** What an admin chooses from; the first one is in no address. */
export const STATES = ['open', 'resolved', 'all'] as const;

/** The state that an address asks for: open reports are what there is to do. */
export const stateOf = (status: string): string => status || STATES[0];

/** What the service is asked for: one row more than the page has, which says whether another one follows. */
export function askFor({ status, cursor, limit }: { status: string; cursor: string; limit: number }): Query {
  const state = stateOf(status);
  // An address may carry anything; the service checks it.
  return { status: state === 'all' ? '' : state, cursor, limit: limit + 1 } as Query;
}

/** The page in such an answer, and behind which row the next one begins. */
export function pageOf<Row extends { _id: string }>(
  rows: readonly Row[],
  limit: number,
): { items: Row[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?._id ?? null) : null };
}
