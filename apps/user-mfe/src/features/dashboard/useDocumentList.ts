import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { documentsPageQuery } from '../../shared/queries.ts';
import { useListState } from './useListState.ts';

/** Returns the page of documents for the address, and functions that change the address. */
export function useDocumentList() {
  const address = useListState();
  const list = useQuery({ ...documentsPageQuery(address.state), placeholderData: keepPreviousData });
  return { ...address, list };
}

export type DocumentPage = ReturnType<typeof useDocumentList>;
