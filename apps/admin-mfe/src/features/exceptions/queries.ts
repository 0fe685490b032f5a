import { call, serverClock } from '@karaar/api-client';
import { exceptionRoutes, type Reconciliation } from '@karaar/contracts/wallet/exceptions';
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';

const LOOK_MS = 2_000;

/** Returns true if a run is active or about to begin. */
const isUnderWay = ({ running, next_at }: Reconciliation): boolean =>
  running || Date.parse(next_at) <= serverClock.now();

/** The time of the last comparison. */
export const reconciliationQuery = () =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'reconciliation'],
    queryFn: ({ signal }) => call(exceptionRoutes.reconciliation, {}, { signal }),
    refetchInterval: ({ state: { data } }) => data && isUnderWay(data) && LOOK_MS,
  });
