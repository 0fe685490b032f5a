import { ApiError, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { ErrorState, formatDateTime, money, Banner, PageSkeleton, Sheet, toast } from '@karaar/ui';
import { AmountForm } from '@karaar/ui/amounts';
import { Switch } from '@karaar/ui/fields';
import { Thread } from '@karaar/ui/navigation';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { ADMIN_KEY } from '../../shared/queries.ts';
import css from './pricing.module.css';
import { pricingTexts } from './texts.ts';

const RATE = [ADMIN_KEY, 'pricing', 'rate'];
const HISTORY = [ADMIN_KEY, 'pricing', 'history'];
const EDITING = [ADMIN_KEY, 'pricing', 'editing'];
/** The default rate until one is set (spec §9). */
const DEFAULT_RATE = 1;

/** The present and past daily rates, and who may change the rate. */
export default function Pricing() {
  const t = useTexts(pricingTexts);
  const rate = useQuery({
    queryKey: RATE,
    // The read is a 404 until a rate is set.
    queryFn: ({ signal }) =>
      call(documentsRoutes.adminGetPricing, {}, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
  });
  if (rate.isPending) return <PageSkeleton />;
  if (rate.isLoadingError)
    return (
      <ErrorState
        title={toastText(rate.error, t('fetchFailed'))}
        onRetry={() => void rate.refetch()}
        retrying={rate.isFetching}
      />
    );
  const current = rate.data?.daily_rate;
  return (
    <AdminPage title={t('title')} lead={t('lead')} narrow>
      {current === undefined && <Banner>{t('notSet')}</Banner>}
      <RateForm key={current} current={current} />
      <UserEditing />
      <History />
    </AdminPage>
  );
}

function RateForm({ current }: { current: number | undefined }) {
  const t = useTexts(pricingTexts);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (daily_rate: number) =>
      call(current === undefined ? documentsRoutes.adminCreatePricing : documentsRoutes.adminUpdatePricing, {
        body: { daily_rate },
      }),
    onSuccess: (pricing) => {
      queries.setQueryData(RATE, pricing);
      void queries.invalidateQueries({ queryKey: HISTORY });
      toast.success(t('saved'));
    },
    onError: (error) => toast.error(toastText(error, t('saveFailed'))),
  });
  return (
    <Sheet title={t('rate')} note={t('rateNote')}>
      {current !== undefined && <p className={css.current}>{t('perDay', { rate: money(current) })}</p>}
      <AmountForm
        label={t('newRate')}
        action={t('save')}
        busy={save.isPending}
        initial={current ?? DEFAULT_RATE}
        least={0}
        onAmount={save.mutateAsync}
        onRefused={() => toast.error(t('badRate'))}
      />
    </Sheet>
  );
}

function UserEditing() {
  const t = useTexts(pricingTexts);
  const queries = useQueryClient();
  const editing = useQuery({
    queryKey: EDITING,
    queryFn: ({ signal }) => call(documentsRoutes.adminGetUserEditing, {}, { signal }),
  });
  const turn = useMutation({
    mutationFn: (enabled: boolean) => call(documentsRoutes.adminSetUserEditing, { body: { enabled } }),
    onSuccess: (answer) => {
      queries.setQueryData(EDITING, answer);
      toast.success(t(answer.enabled ? 'editingOn' : 'editingOff'));
    },
    onError: (error) => toast.error(toastText(error, t('saveFailed'))),
  });
  return (
    <Sheet title={t('editing')}>
      {editing.isError ? (
        <ErrorState
          title={toastText(editing.error, t('fetchFailed'))}
          onRetry={() => void editing.refetch()}
          retrying={editing.isFetching}
        />
      ) : (
        <Switch
          label={t('editingLabel')}
          hint={t('editingHint')}
          checked={turn.isPending ? turn.variables : (editing.data?.enabled ?? false)}
          disabled={!editing.data || turn.isPending}
          onChange={(enabled) => turn.mutate(enabled)}
        />
      )}
    </Sheet>
  );
}

function History() {
  const t = useTexts(pricingTexts);
  const history = useQuery({
    queryKey: HISTORY,
    queryFn: ({ signal }) => call(documentsRoutes.adminPricingHistory, {}, { signal }),
  });
  if (history.isPending) return null;
  return (
    <Sheet title={t('history')}>
      {history.isError ? (
        <ErrorState
          title={toastText(history.error, t('fetchFailed'))}
          onRetry={() => void history.refetch()}
          retrying={history.isFetching}
        />
      ) : history.data.length === 0 ? (
        <p className="k-muted">{t('historyEmpty')}</p>
      ) : (
        <Thread
          label={t('history')}
          entries={history.data.map(({ daily_rate, author_name, at }) => ({
            key: at,
            title: t('perDay', { rate: money(daily_rate) }),
            note: `${author_name} · ${formatDateTime(at)}`,
          }))}
        />
      )}
    </Sheet>
  );
}
