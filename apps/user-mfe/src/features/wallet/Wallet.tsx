import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, formatDateTime, money, Notice, Page, Sheet, Skeleton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { balanceQuery, transactionsQuery } from '../../shared/queries.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { AddFunds } from './AddFunds.tsx';
import { walletTexts } from './texts.ts';
import { TransactionList } from './TransactionList.tsx';
import { useTopUp } from './useTopUp.ts';
import css from './wallet.module.css';

/** The prepaid wallet: balance, top-up, history. */
export default function Wallet() {
  const t = useTexts(walletTexts);
  useTitle(t('title'));
  const balance = useQuery(balanceQuery);
  const transactions = useQuery(transactionsQuery);
  const { topUp, phase } = useTopUp();
  const [adding, setAdding] = useState(false);
  return (
    <Page title={t('title')} narrow>
      <section className={css.purse} aria-label={t('balance')}>
        <div>
          <p className={css.label}>{t('balance')}</p>
          {balance.isPending && <Skeleton height={44} />}
          {balance.isError && <p className={css.note}>{toastText(balance.error, t('loadFailed'))}</p>}
          {balance.data && (
            <>
              <p className={css.amount}>{money(balance.data.balance)}</p>
              <p className={css.note}>{t('updated', { when: formatDateTime(balance.data.updated_at) })}</p>
            </>
          )}
        </div>
        <Button variant="primary" icon="plus" onClick={() => setAdding(true)} disabled={phase !== 'idle'}>
          {t('addFunds')}
        </Button>
        <p className={css.coinNote}>{t('coinNote')}</p>
      </section>
      {phase !== 'idle' && (
        <Notice tone="waiting">{phase === 'checkout' ? t('paying') : t('verifying')}</Notice>
      )}
      <Sheet
        title={t('history')}
        flush
        actions={
          <Button
            compact
            icon="refresh"
            onClick={() => void transactions.refetch()}
            loading={transactions.isFetching}
          >
            {t('refresh')}
          </Button>
        }
      >
        {transactions.isPending && <Skeleton height={160} />}
        {transactions.isError && (
          <ErrorState
            title={toastText(transactions.error, t('loadFailed'))}
            onRetry={() => void transactions.refetch()}
            retrying={transactions.isFetching}
          />
        )}
        {transactions.data && <TransactionList transactions={transactions.data} />}
      </Sheet>
      {adding && (
        <AddFunds
          onClose={() => setAdding(false)}
          onAmount={(rupees) => {
            setAdding(false);
            void topUp(rupees);
          }}
        />
      )}
    </Page>
  );
}
