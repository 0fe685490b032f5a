import { call } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';

/** The number of documents, in total and for each of the last days. */
export const documentCountsQuery = (days: number) =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'documents', 'counts', days],
    queryFn: ({ signal }) => call(documentsRoutes.adminDocumentCounts, { query: { days } }, { signal }),
  });

export const adminDocumentQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, 'documents', 'one', id],
    queryFn: ({ signal }) => call(documentsRoutes.adminDocument, { params: { id } }, { signal }),
  });
