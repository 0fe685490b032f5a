import { call, serverClock } from '@karaar/api-client';
import { exceptionRoutes, type Reconciliation } from '@karaar/contracts/wallet/exceptions';
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';

const LOOK_MS = 2_000;

/** A run that is going on, or about to begin. */
const isUnderWay = ({ running, next_at }: Reconciliation): boolean =>
  running || Date.parse(next_at) <= serverClock.now();

/** When the books were last compared. */
export const reconciliationQuery = () =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'reconciliation'],
    queryFn: ({ signal }) => call(exceptionRoutes.reconciliation, {}, { signal }),
    refetchInterval: ({ state: { data } }) => data && isUnderWay(data) && LOOK_MS,
  });
