import { call, queryKeys } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { queryOptions } from '@tanstack/react-query';

/** The signed-in user's profile. */
export const profileQuery = queryOptions({
  queryKey: queryKeys.profile,
  queryFn: ({ signal }) => call(authRoutes.profile, {}, { signal }),
});
