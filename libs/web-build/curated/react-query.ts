/** The query client's parts that the shell and its remotes share. A part that a screen needs is added here. */
export {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query-whole';
export type * from '@tanstack/react-query-whole';
