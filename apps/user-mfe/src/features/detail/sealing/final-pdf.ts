import { call } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { queryOptions } from '@tanstack/react-query';

/** The sealed PDF of a document; it never changes. */
export const finalPdfQuery = (id: string) =>
  queryOptions({
    queryKey: ['final-pdf', id],
    queryFn: ({ signal }) => call(documentsRoutes.finalPdf, { params: { id } }, { signal }),
    staleTime: Infinity,
  });
