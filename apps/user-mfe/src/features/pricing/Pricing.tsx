import { ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import {
  ErrorState,
  Facts,
  formatDateTime,
  money,
  Banner,
  Page,
  PageSkeleton,
  Sheet,
  toast,
} from '@karaar/ui';
import { AmountForm } from '@karaar/ui/amounts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTitle } from '../../shared/useTitle.ts';
import { historyKey, PricingHistory } from './PricingHistory.tsx';
import { pricingTexts } from './texts.ts';

const queryKey = ['pricing', 'rate'];
/** The days of the examples on the page (spec §9). */
const EXAMPLE_DAYS = [1, 7, 30] as const;
/** The rate until one is set. */
const DEFAULT_RATE = 1;

/**
 * Reads the daily rate (null if none is set: the response is then a 404), and whether users may change it.
 */
async function readPricing(signal: AbortSignal) {
  try {
    const pricing = await call(documentsRoutes.getPricing, {}, { signal });
    return { pricing, open: pricing.user_editing };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return { pricing: null, open: error.code !== 'pricing_not_set_by_admins' };
    throw error;
  }
}

/** Shows and changes the daily rate. */
export default function Pricing() {
  const t = useTexts(pricingTexts);
  useTitle(t('title'));
  const read = useQuery({ queryKey, queryFn: ({ signal }) => readPricing(signal) });
  if (read.isPending) return <PageSkeleton />;
  if (read.isLoadingError) {
    return (
      <ErrorState
        title={toastText(read.error, t('fetchFailed'))}
        onRetry={() => void read.refetch()}
        retrying={read.isFetching}
      />
    );
  }
  const { pricing, open } = read.data;
  const rate = pricing?.daily_rate ?? DEFAULT_RATE;
  return (
    <Page title={t('title')} lead={t('lead')} narrow>
      {pricing === null && <Banner>{t('notSet')}</Banner>}
      <Sheet title={t('current')}>
        <Facts
          entries={[
            [t('current'), t('rateADay', { rate: money(rate) })],
            [t('state'), pricing?.is_active ? t('active') : undefined],
            [t('changedBy'), pricing?.updated_by_name],
            [t('changedAt'), formatDateTime(pricing?.updated_at)],
            [t('setBy'), pricing?.created_by_name],
            [t('setAt'), formatDateTime(pricing?.created_at)],
          ]}
        />
      </Sheet>
      <Sheet title={t('examples')}>
        <Facts
          entries={EXAMPLE_DAYS.map((days) => [t('days', { days: days }), money(rate * days)] as const)}
        />
      </Sheet>
      {open ? <RateForm exists={pricing !== null} /> : <Banner>{t('closed')}</Banner>}
      {pricing && <PricingHistory />}
    </Page>
  );
}

function RateForm({ exists }: { exists: boolean }) {
  const t = useTexts(pricingTexts);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (daily_rate: number) =>
      call(exists ? documentsRoutes.updatePricing : documentsRoutes.createPricing, { body: { daily_rate } }),
    onSuccess: (pricing) => {
      queries.setQueryData(queryKey, { pricing, open: true });
      void queries.invalidateQueries({ queryKey: historyKey });
      toast.success(t('saved'));
    },
    onError: (error) => toast.error(toastText(error, t('saveFailed'))),
  });
  return (
    <Sheet title={t('change')} note={t('changeNote')}>
      <AmountForm
        label={t('newRate')}
        action={t('save')}
        busy={save.isPending}
        onAmount={save.mutateAsync}
        onRefused={() => toast.error(t('badRate'))}
      />
    </Sheet>
  );
}
