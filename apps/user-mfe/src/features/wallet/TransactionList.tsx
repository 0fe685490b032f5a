import type { Answer } from '@karaar/api-client';
import type { walletRoutes } from '@karaar/contracts/wallet/http';
import { movementMessage } from '@karaar/contracts/movement-words';
import { useLanguage, useTexts } from '@karaar/i18n';
import { Badge, formatDateTime, money } from '@karaar/ui';
import { Welcome } from '@karaar/ui/pictures';
import { walletTexts } from './texts.ts';
import css from './wallet.module.css';

type Transactions = Answer<typeof walletRoutes.transactions>;

/** The wallet's transactions with their purpose. */
export function TransactionList({ transactions }: { transactions: Transactions }) {
  const t = useTexts(walletTexts);
  const language = useLanguage();
  const whatFor = (description: string) => {
    const message = language === 'en' ? null : movementMessage(description);
    return message ? t(message) : description;
  };
  if (transactions.length === 0) {
    return <Welcome picture="wallet" title={t('emptyTitle')} text={t('emptyText')} />;
  }
  return (
    <ul className={css.list}>
      {transactions.map((transaction) => {
        const credit = transaction.type === 'credit';
        return (
          <li key={transaction._id} className={css.item}>
            <div className={css.itemText}>
              <span className={css.what}>{whatFor(transaction.description)}</span>
              <span className="k-muted k-small k-num">{formatDateTime(transaction.created_at)}</span>
            </div>
            <Badge tone={credit ? 'verified' : 'neutral'}>{credit ? t('credit') : t('debit')}</Badge>
            <span className={css.money} data-credit={credit || undefined}>
              {`${credit ? '+' : '−'}${money(Math.abs(transaction.amount))}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
