import { call } from '@karaar/api-client';
import { paymentsRoutes } from '@karaar/contracts/payments/http';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { queryOptions } from '@tanstack/react-query';
import { documentKeys } from '../../shared/queries.ts';

/** The shares that this user can pay now. */
export const dueQuery = queryOptions({
  queryKey: [...documentKeys.all, 'due'],
  queryFn: ({ signal }) => call(paymentsRoutes.due, {}, { signal }),
});

/** The top-ups of this user that are not in the wallet yet, and what the checkout needs to finish one. */
export const topUpsQuery = queryOptions({
  queryKey: ['wallet', 'waiting'],
  queryFn: ({ signal }) => call(walletRoutes.waitingTopUps, {}, { signal }),
});
