import { queryOptions } from '@tanstack/react-query';
import { loadRoutes } from './load-remote.ts';
import { REMOTE_KEY } from '../session/remote-key.ts';

/** The screens of a remote: loaded once, kept until the page is closed, retried only by the user. */
export const remoteQuery = (name: string) =>
  queryOptions({
    queryKey: [REMOTE_KEY, name],
    queryFn: () => loadRoutes(name),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    // The browser may be wrong about being offline; the entry may be in its cache.
    networkMode: 'always',
  });
