import { call, toastText } from '@karaar/api-client';
import { exceptionRoutes } from '@karaar/contracts/wallet/exceptions';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, formatDateTime, toast } from '@karaar/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import css from './exceptions.module.css';
import { reconciliationQuery } from './queries.ts';
import { exceptionsTexts } from './texts.ts';

/** The time of the last comparison with the provider's records, and a button that starts one. */
export function Comparison() {
  const t = useTexts(exceptionsTexts);
  const queries = useQueryClient();
  const run = useQuery(reconciliationQuery());
  const start = useMutation({
    mutationFn: () => call(exceptionRoutes.reconcileNow, {}),
    onSuccess: () => {
      toast.success(t('compareAsked'));
      void queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'reconciliation'] });
    },
    onError: (error) => toast.error(toastText(error, t('compareFailed'))),
  });
  if (run.isError)
    return (
      <ErrorState
        title={toastText(run.error, t('comparedFailed'))}
        onRetry={() => void run.refetch()}
        retrying={run.isFetching}
      />
    );
  const { data } = run;
  return (
    <div className={css.comparison}>
      <p className="k-muted">
        {data && (
          <span>
            {data.last_complete_at
              ? t('comparedAt', {
                  at: formatDateTime(data.last_complete_at),
                  payments: data.payments,
                  refunds: data.refunds,
                })
              : t('comparedNever')}
          </span>
        )}
        {data?.last_failed_at && data.last_failed_at > (data.last_complete_at ?? '') && (
          <span>{` ${t('comparedBroke', { at: formatDateTime(data.last_failed_at) })}`}</span>
        )}
      </p>
      <Button compact loading={start.isPending} onClick={() => start.mutate()}>
        {t('compareNow')}
      </Button>
    </div>
  );
}
