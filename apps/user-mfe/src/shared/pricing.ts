import { ApiError, call } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { DEFAULT_DAILY_RATE_PAISE, toPaise } from '@karaar/contracts/charge';
import { queryOptions } from '@tanstack/react-query';

/** The daily rate of now in paise, by which what is created now is charged; the default one while none is set. */
export const dailyRateQuery = queryOptions({
  queryKey: ['pricing', 'paise'],
  queryFn: async ({ signal }) => {
    try {
      return toPaise((await call(documentsRoutes.getPricing, {}, { signal })).daily_rate);
    } catch (error) {
      // Until a rate is set the read is a 404 (design §3 Pricing).
      if (error instanceof ApiError && error.status === 404) return DEFAULT_DAILY_RATE_PAISE;
      throw error;
    }
  },
  staleTime: 60_000,
});
