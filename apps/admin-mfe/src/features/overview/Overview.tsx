import { call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { DOCUMENT_STATUSES } from '@karaar/contracts/documents/status';
import { SUPER_ADMINS } from '@karaar/contracts/kit';
import { useTexts } from '@karaar/i18n';
import { ErrorState, money, Sheet, shortMoney, statusText, wholeNumber } from '@karaar/ui';
import { Chart } from '@karaar/ui/charts';
import { SegmentedControl } from '@karaar/ui/fields';
import { CardsSkeleton } from '@karaar/ui/skeletons';
import { FilterChips } from '@karaar/ui/tables';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { CountCards } from '../../shared/CountCards.tsx';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { useHasRole } from '../../shared/useAdmin.ts';
import { documentCountsQuery } from '../documents/queries.ts';
import { paymentTotalsQuery } from '../payments/queries.ts';
import css from './overview.module.css';
import { dayLabel, lastDays, seriesOf } from './series.ts';
import { overviewTexts } from './texts.ts';

const SPANS = ['7', '30', '90'] as const;
type Span = (typeof SPANS)[number];

/** The activity of the product in charts. Each chart is also a table. */
export default function Overview() {
  const t = useTexts(overviewTexts);
  const [address, setAddress] = useSearchParams();
  const span: Span = SPANS.find((each) => each === address.get('days')) ?? '30';
  const seesMoney = useHasRole(SUPER_ADMINS);
  const days = Number(span);
  return (
    <AdminPage
      title={t('title')}
      actions={
        <SegmentedControl
          label={t('span')}
          options={SPANS.map((value) => ({ value, label: t('days', { days: Number(value) }) }))}
          value={span}
          onChange={(chosen) => setAddress({ days: chosen }, { replace: true })}
        />
      }
    >
      <Documents days={days} />
      <div className={css.pair}>
        {seesMoney && <Volume days={days} />}
        <SignUps days={days} />
      </div>
    </AdminPage>
  );
}

/** The numbers of a query, or its loading or error state. */
function Figures<T>({
  query,
  label,
  children,
}: {
  query: UseQueryResult<T>;
  label: string;
  children: (data: T) => ReactNode;
}) {
  if (query.isPending) return <CardsSkeleton label={label} />;
  if (query.isError)
    return (
      <ErrorState
        title={toastText(query.error, label)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  return children(query.data);
}

function Documents({ days }: { days: number }) {
  const t = useTexts(overviewTexts);
  const [status, setStatus] = useState('');
  const counts = useQuery(documentCountsQuery(days));
  return (
    <Figures query={counts} label={t('documents')}>
      {(data) => (
        <>
          <CountCards
            label={t('documents')}
            cards={[
              { key: 'total', label: t('documents'), value: data.total },
              { key: 'pending', label: statusText('pending'), value: data.pending, tone: 'waiting' },
              { key: 'approved', label: statusText('approved'), value: data.approved, tone: 'verified' },
              { key: 'finalized', label: statusText('finalized'), value: data.finalized, tone: 'info' },
            ]}
          />
          <Sheet title={t('documents')} note={t('documentsNote', { days })}>
            <div className={css.chart}>
              <FilterChips
                label={t('status')}
                single
                chips={DOCUMENT_STATUSES.map((each) => ({ value: each as string, label: statusText(each) }))}
                chosen={status ? [status] : []}
                onChange={([chosen = '']) => setStatus(chosen)}
              />
              <Chart
                kind="bar"
                title={status ? t('createdAs', { status: statusText(status) }) : t('createdADay')}
                points={seriesOf(
                  lastDays(days),
                  data.by_day.filter((one) => !status || one.status === status),
                  ({ count }) => count,
                ).map(dayLabel)}
                heads={[t('day'), t('documents')]}
                format={wholeNumber}
              />
            </div>
          </Sheet>
        </>
      )}
    </Figures>
  );
}

function Volume({ days }: { days: number }) {
  const t = useTexts(overviewTexts);
  const totals = useQuery(paymentTotalsQuery(days));
  return (
    <Figures query={totals} label={t('volume')}>
      {(data) => (
        <Sheet title={t('volume')} note={t('volumeNote', { amount: money(data.volume.amount) })}>
          <Chart
            kind="line"
            title={t('volumeADay')}
            points={seriesOf(lastDays(days), data.by_day, ({ amount }) => amount).map(dayLabel)}
            heads={[t('day'), t('amount')]}
            format={shortMoney}
          />
        </Sheet>
      )}
    </Figures>
  );
}

function SignUps({ days }: { days: number }) {
  const t = useTexts(overviewTexts);
  const counts = useQuery({
    queryKey: [ADMIN_KEY, 'users', 'counts', days],
    queryFn: ({ signal }) => call(authRoutes.adminUserCounts, { query: { days } }, { signal }),
  });
  return (
    <Figures query={counts} label={t('signUps')}>
      {(data) => (
        <Sheet title={t('signUps')} note={t('users', { count: data.total })}>
          <Chart
            kind="bar"
            title={t('signUpsADay')}
            points={seriesOf(lastDays(days), data.by_day, ({ count }) => count).map(dayLabel)}
            heads={[t('day'), t('signUps')]}
            format={wholeNumber}
          />
        </Sheet>
      )}
    </Figures>
  );
}
