import { call, queryKeys } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { paymentsRoutes } from '@karaar/contracts/payments/http';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { queryOptions } from '@tanstack/react-query';

/** As many as one list shows at once. */
const LIST_LIMIT = 200;

/** Keys under which the documents of this user are kept; all begin with `documents`. */
export const documentKeys = {
  all: ['documents'],
  mine: ['documents', 'mine'],
  pending: ['documents', 'pending'],
  one: (id: string) => ['documents', 'one', id],
  events: (id: string) => ['documents', 'events', id],
  charge: (id: string) => ['documents', 'charge', id],
} as const;

export const myDocumentsQuery = queryOptions({
  queryKey: documentKeys.mine,
  queryFn: ({ signal }) => call(documentsRoutes.myDocuments, { query: { limit: LIST_LIMIT } }, { signal }),
});

export const pendingAgreementsQuery = queryOptions({
  queryKey: documentKeys.pending,
  queryFn: ({ signal }) => call(documentsRoutes.pendingAgreements, {}, { signal }),
});

/** A document: whole for its parties, a stub for others. */
export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: documentKeys.one(id),
    queryFn: ({ signal }) => call(documentsRoutes.get, { params: { id } }, { signal }),
  });

export const documentEventsQuery = (id: string) =>
  queryOptions({
    queryKey: documentKeys.events(id),
    queryFn: ({ signal }) => call(documentsRoutes.events, { params: { id } }, { signal }),
  });

/** What a document costs, what has been paid, and whether that is all. */
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

export const balanceQuery = queryOptions({
  queryKey: queryKeys.balance,
  queryFn: ({ signal }) => call(walletRoutes.balance, {}, { signal }),
});
