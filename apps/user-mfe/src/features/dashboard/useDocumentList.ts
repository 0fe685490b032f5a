import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { documentsPageQuery } from '../../shared/queries.ts';
import { useListState } from './useListState.ts';

/** The page of the user's documents that the address asks for, with what changes the address. */
export function useDocumentList() {
  const address = useListState();
  const list = useQuery({ ...documentsPageQuery(address.state), placeholderData: keepPreviousData });
  return { ...address, list };
}

/** What `useDocumentList` returns. */
export type DocumentPage = ReturnType<typeof useDocumentList>;
