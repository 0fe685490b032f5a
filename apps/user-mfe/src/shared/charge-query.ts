import { call } from '@karaar/api-client';
import { paymentsRoutes } from '@karaar/contracts/payments/http';
import { queryOptions } from '@tanstack/react-query';
import { documentKeys } from './queries.ts';

/** The price of a document, its payments, and whether it is fully paid. */
export const chargeQuery = (id: string) =>
  queryOptions({
    queryKey: documentKeys.charge(id),
    queryFn: async ({ signal }) => {
      const params = { id };
      const [calculation, payments, status] = await Promise.all([
        call(paymentsRoutes.calculate, { params }, { signal }),
        call(paymentsRoutes.documentPayments, { params }, { signal }),
        call(paymentsRoutes.paymentStatus, { params }, { signal }),
      ]);
      return { calculation, payments, status };
    },
  });
