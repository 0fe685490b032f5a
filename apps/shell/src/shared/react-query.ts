/** The query client's parts that the shell and its remotes share. A part that a screen needs is added here. */
export {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query-whole';
