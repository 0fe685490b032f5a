/** Pages of reports from a service that returns only rows. */
import type { Input } from '@karaar/api-client';
import type { reportRoutes } from '@karaar/contracts/messaging/reports';

type Query = NonNullable<Input<typeof reportRoutes.adminReports>['query']>;

/** The options; the first is the default and left out of the address. */
export const STATES = ['open', 'resolved', 'all'] as const;

/** Returns the state in an address; by default open reports, which need work. */
export const stateOf = (status: string): string => status || STATES[0];

/** Returns the request: one row more than the page has, which shows whether another page follows. */
export function askFor({ status, cursor, limit }: { status: string; cursor: string; limit: number }): Query {
  const state = stateOf(status);
  // The address may contain invalid values; the service checks them.
  return { status: state === 'all' ? '' : state, cursor, limit: limit + 1 } as Query;
}

/** Returns the page in such a response, and the cursor of the next one. */
export function pageOf<Row extends { _id: string }>(
  rows: readonly Row[],
  limit: number,
): { items: Row[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?._id ?? null) : null };
}
