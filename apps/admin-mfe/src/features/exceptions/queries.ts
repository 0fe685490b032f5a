import { call } from '@karaar/api-client';
import { exceptionRoutes } from '@karaar/contracts/wallet/exceptions';
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';

const LOOK_MS = 2_000;

/** The time of the last comparison. */
export const reconciliationQuery = () =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'reconciliation'],
    queryFn: ({ signal }) => call(exceptionRoutes.reconciliation, {}, { signal }),
    refetchInterval: ({ state: { data } }) => data?.running === true && LOOK_MS,
  });
