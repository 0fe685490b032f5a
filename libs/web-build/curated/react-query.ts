/** The query client's parts that the shell and its remotes share. Add a part when a screen needs it. */
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
