import { call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { ErrorState, formatDateTime, money, Sheet } from '@karaar/ui';
import { Thread } from '@karaar/ui/navigation';
import { ListSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { pricingTexts } from './texts.ts';

export const historyKey = ['pricing', 'history'];

/** The changes of the rate: any user may change it, so all users see them. */
export function PricingHistory() {
  const t = useTexts(pricingTexts);
  const history = useQuery({
    queryKey: historyKey,
    queryFn: ({ signal }) => call(documentsRoutes.pricingHistory, {}, { signal }),
  });
  return (
    <Sheet title={t('history')}>
      {history.isPending && <ListSkeleton label={t('history')} rows={2} />}
      {history.isError && (
        <ErrorState
          title={toastText(history.error, t('historyFailed'))}
          onRetry={() => void history.refetch()}
          retrying={history.isFetching}
        />
      )}
      {history.data && (
        <Thread
          label={t('history')}
          entries={history.data.map(({ daily_rate, author_name, at }) => ({
            key: at,
            title: t('historyLine', { name: author_name, rate: money(daily_rate) }),
            note: formatDateTime(at),
          }))}
        />
      )}
    </Sheet>
  );
}
