import { call } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { queryOptions } from '@tanstack/react-query';

/** Everything that an admin was told is kept below this key, and forgotten when the session ends. */
export const ADMIN_KEY = 'admin';

export const meQuery = queryOptions({
  queryKey: [ADMIN_KEY, 'me'],
  queryFn: ({ signal }) => call(authRoutes.adminMe, {}, { signal }),
  staleTime: 60_000,
});
