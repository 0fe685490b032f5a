import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, formatDateTime, money, Banner, Page, Skeleton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { balanceQuery } from '../../shared/queries.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { AddFunds } from './AddFunds.tsx';
import { ClaimTopUp } from './ClaimTopUp.tsx';
import { History } from './History.tsx';
import { OwnPayments } from './OwnPayments.tsx';
import { walletTexts } from './texts.ts';
import { useTopUp } from './useTopUp.ts';
import css from './wallet.module.css';

/** The prepaid wallet: balance, top-up, history, the user's payments. */
export default function Wallet() {
  const t = useTexts(walletTexts);
  useTitle(t('title'));
  const balance = useQuery(balanceQuery);
  const { topUp, phase } = useTopUp();
  const [adding, setAdding] = useState(false);
  const [claiming, setClaiming] = useState(false);
  return (
    <Page title={t('title')} narrow>
      <section className={css.purse} aria-label={t('balance')}>
        <div>
          <p className={css.label}>{t('balance')}</p>
          {balance.isPending && <Skeleton height={44} />}
          {balance.isError && (
            <ErrorState
              title={toastText(balance.error, t('loadFailed'))}
              onRetry={() => void balance.refetch()}
              retrying={balance.isFetching}
            />
          )}
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
        <div className={css.coinNote}>
          <p>{t('coinNote')}</p>
          <Link to="/pricing">{t('pricing')}</Link>
          <Button compact onClick={() => setClaiming(true)}>
            {t('missing')}
          </Button>
        </div>
      </section>
      {phase !== 'idle' && (
        <Banner tone="waiting">{phase === 'checkout' ? t('paying') : t('verifying')}</Banner>
      )}
      <History />
      <OwnPayments />
      {claiming && <ClaimTopUp onClose={() => setClaiming(false)} />}
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
