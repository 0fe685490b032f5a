import { ApiError, call } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { DEFAULT_DAILY_RATE_PAISE, toPaise } from '@karaar/contracts/charge';
import { queryOptions } from '@tanstack/react-query';

/** The present daily rate in paise for new documents; the default rate if none is set. */
export const dailyRateQuery = queryOptions({
  queryKey: ['pricing', 'paise'],
  queryFn: async ({ signal }) => {
    try {
      return toPaise((await call(documentsRoutes.getPricing, {}, { signal })).daily_rate);
    } catch (error) {
      // The read is a 404 until a rate is set (design §3 Pricing).
      if (error instanceof ApiError && error.status === 404) return DEFAULT_DAILY_RATE_PAISE;
      throw error;
    }
  },
  staleTime: 60_000,
});
