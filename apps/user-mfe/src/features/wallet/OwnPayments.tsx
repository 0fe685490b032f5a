import { call, toastText } from '@karaar/api-client';
import { paymentsRoutes } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { Badge, ErrorState, formatDateTime, money, Sheet, statusText } from '@karaar/ui';
import { Welcome } from '@karaar/ui/pictures';
import { ListSkeleton } from '@karaar/ui/skeletons';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ReceiptButton } from '../../shared/PaymentReceiptButton.tsx';
import { walletTexts } from './texts.ts';
import css from './wallet.module.css';

const ownPaymentsQuery = queryOptions({
  queryKey: ['wallet', 'payments'],
  queryFn: ({ signal }) => call(paymentsRoutes.myPayments, {}, { signal }),
});

/** The user's payments for documents, newest first. */
export function OwnPayments() {
  const t = useTexts(walletTexts);
  const payments = useQuery(ownPaymentsQuery);
  return (
    <Sheet title={t('payments')} flush>
      {payments.isPending && <ListSkeleton label={t('payments')} />}
      {payments.isError && (
        <ErrorState
          title={toastText(payments.error, t('paymentsFailed'))}
          onRetry={() => void payments.refetch()}
          retrying={payments.isFetching}
        />
      )}
      {payments.data?.length === 0 && (
        <Welcome small picture="wallet" title={t('paymentsNone')} text={t('paymentsNoneText')} />
      )}
      {payments.data && payments.data.length > 0 && (
        <ul className={css.list}>
          {payments.data.map((payment) => (
            <li key={payment._id} className={css.item}>
              <div className={css.itemText}>
                <Link to={`/document/${payment.document_id}/payment`}>
                  {payment.document_name ?? t('openDocument')}
                </Link>
                <span className="k-muted k-small k-num">{formatDateTime(payment.created_at)}</span>
              </div>
              <Badge tone={payment.status === 'completed' ? 'verified' : 'neutral'}>
                {statusText(payment.status)}
              </Badge>
              <span className={css.money}>{money(payment.amount)}</span>
              {payment.status === 'completed' && <ReceiptButton payment={payment} />}
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
