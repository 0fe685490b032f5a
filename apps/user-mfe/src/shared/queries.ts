import { call, queryKeys } from '@karaar/api-client';
import { documentsRoutes, type Document, type DocumentSort } from '@karaar/contracts/documents/http';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { queryOptions } from '@tanstack/react-query';

/** Query keys of this user's documents; all begin with `documents`. */
export const documentKeys = {
  all: ['documents'],
  mine: ['documents', 'mine'],
  counts: ['documents', 'counts'],
  pending: ['documents', 'pending'],
  work: ['documents', 'work'],
  labels: ['documents', 'labels'],
  one: (id: string) => ['documents', 'one', id],
  events: (id: string) => ['documents', 'events', id],
  charge: (id: string) => ['documents', 'charge', id],
} as const;

/** Rows per page of a list. */
const PAGE = 20;

export type DocumentsQuery = {
  search: string;
  status: Document['status'] | '';
  archived?: boolean;
  label?: string | undefined;
  sort: DocumentSort;
  cursor: string;
};

export const documentsPageQuery = (query: DocumentsQuery) =>
  queryOptions({
    queryKey: [...documentKeys.mine, query],
    queryFn: ({ signal }) =>
      call(documentsRoutes.documentsPage, { query: { ...query, limit: PAGE } }, { signal }),
  });

export const documentCountsQuery = queryOptions({
  queryKey: documentKeys.counts,
  queryFn: ({ signal }) => call(documentsRoutes.documentCounts, {}, { signal }),
});

/** The tasks of this user, and those of others. */
export const workQuery = queryOptions({
  queryKey: documentKeys.work,
  queryFn: ({ signal }) => call(documentsRoutes.work, {}, { signal }),
});

export const pendingAgreementsQuery = queryOptions({
  queryKey: documentKeys.pending,
  queryFn: ({ signal }) => call(documentsRoutes.pendingAgreements, {}, { signal }),
});

/** The text of a file's pages; it never changes. */
export const fileTextQuery = (id: string, fileId: string) =>
  queryOptions({
    queryKey: [...documentKeys.all, 'text', id, fileId],
    queryFn: ({ signal }) => call(documentsRoutes.fileText, { params: { id, fileId } }, { signal }),
    staleTime: Infinity,
  });

/** A document: complete for its parties, a stub for others. */
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

export const balanceQuery = queryOptions({
  queryKey: queryKeys.balance,
  queryFn: ({ signal }) => call(walletRoutes.balance, {}, { signal }),
});
