import { call } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { queryOptions } from '@tanstack/react-query';

/** The first part of all admin query keys; their data is deleted when the session ends. */
export const ADMIN_KEY = 'admin';

export const meQuery = queryOptions({
  queryKey: [ADMIN_KEY, 'me'],
  queryFn: ({ signal }) => call(authRoutes.adminMe, {}, { signal }),
  staleTime: 60_000,
});
