import { call } from '@karaar/api-client';
import { exceptionRoutes } from '@karaar/contracts/wallet/exceptions';
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';

/** When the books were last compared. */
export const reconciliationQuery = () =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'reconciliation'],
    queryFn: ({ signal }) => call(exceptionRoutes.reconciliation, {}, { signal }),
  });
