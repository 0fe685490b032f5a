import { call } from '@karaar/api-client';
import { paymentsRoutes } from '@karaar/contracts/payments/http';
import { queryOptions } from '@tanstack/react-query';
import { documentKeys } from '../../shared/queries.ts';

/** The shares that this user can pay now. */
export const dueQuery = queryOptions({
  queryKey: [...documentKeys.all, 'due'],
  queryFn: ({ signal }) => call(paymentsRoutes.due, {}, { signal }),
});
