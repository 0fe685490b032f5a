import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, Sheet } from '@karaar/ui';
import { DateField, SegmentedControl } from '@karaar/ui/fields';
import { ListSkeleton } from '@karaar/ui/skeletons';
import { Welcome } from '@karaar/ui/pictures';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import {
  historyQuery,
  isBackwards,
  isFiltered,
  readFilter,
  writeFilter,
  type HistoryFilter,
} from './history.ts';
import { StatementMenu } from './StatementMenu.tsx';
import { walletTexts } from './texts.ts';
import { TransactionList } from './TransactionList.tsx';
import css from './wallet.module.css';

/** The wallet's transactions by kind and period, page by page. */
export function History() {
  const t = useTexts(walletTexts);
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const history = useInfiniteQuery(historyQuery(filter));
  const change = (part: Partial<HistoryFilter>) =>
    setSearch(writeFilter({ ...filter, ...part }), { replace: true, preventScrollReset: true });
  const transactions = history.data?.pages.flat() ?? [];
  return (
    <Sheet
      title={t('history')}
      flush
      actions={
        <>
          <StatementMenu filter={filter} />
          <Button
            compact
            icon="refresh"
            onClick={() => void history.refetch()}
            loading={history.isFetching && !history.isFetchingNextPage}
          >
            {t('refresh')}
          </Button>
        </>
      }
    >
      <div className={css.filters}>
        <SegmentedControl
          label={t('show')}
          value={filter.show}
          onChange={(show) => change({ show })}
          options={[
            { value: 'all', label: t('showAll') },
            { value: 'credit', label: t('showCredit') },
            { value: 'debit', label: t('showDebit') },
          ]}
        />
        <div className={css.period}>
          <DateField label={t('from')} value={filter.from} onChange={(from) => change({ from })} />
          <DateField
            label={t('to')}
            value={filter.to}
            onChange={(to) => change({ to })}
            error={isBackwards(filter) ? t('badPeriod') : undefined}
          />
        </div>
      </div>
      {history.isLoading && <ListSkeleton label={t('history')} />}
      {history.isError && (
        <ErrorState
          title={toastText(history.error, t('loadFailed'))}
          onRetry={() => void history.refetch()}
          retrying={history.isFetching}
        />
      )}
      {transactions.length > 0 && <TransactionList transactions={transactions} />}
      {history.isSuccess && transactions.length === 0 && <Nothing filter={filter} onClear={change} />}
      {history.hasNextPage && (
        <div className={css.more}>
          <Button onClick={() => void history.fetchNextPage()} loading={history.isFetchingNextPage}>
            {t('more')}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

function Nothing({ filter, onClear }: { filter: HistoryFilter; onClear: (all: HistoryFilter) => void }) {
  const t = useTexts(walletTexts);
  if (!isFiltered(filter)) return <Welcome picture="wallet" title={t('emptyTitle')} text={t('emptyText')} />;
  return (
    <Welcome
      small
      picture="search"
      title={t('noneTitle')}
      text={t('noneText')}
      action={<Button onClick={() => onClear({ show: 'all', from: '', to: '' })}>{t('clear')}</Button>}
    />
  );
}
