import { call } from '@karaar/api-client';
import { paymentsRoutes } from '@karaar/contracts/payments/http';
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';

/** The total of payments, and that of each of the last days. */
export const paymentTotalsQuery = (days: number) =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'payments', 'totals', days],
    queryFn: ({ signal }) => call(paymentsRoutes.adminPaymentTotals, { query: { days } }, { signal }),
  });

/** Reversals that wait for a second admin, the newest first. */
export const waitingReversalsQuery = queryOptions({
  queryKey: [ADMIN_KEY, 'payments', 'reversals', 'requested'],
  queryFn: ({ signal }) =>
    call(paymentsRoutes.listReversals, { query: { state: 'requested', limit: 200 } }, { signal }),
});
