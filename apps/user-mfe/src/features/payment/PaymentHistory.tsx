import type { Document } from '@karaar/contracts/documents/http';
import type { Payment } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { Badge, formatDateTime, money, Sheet, statusText } from '@karaar/ui';
import { Welcome } from '@karaar/ui/pictures';
import { useUser } from '../../shared/useShell.ts';
import { nameOf } from './party-name.ts';
import css from './payment.module.css';
import { ReceiptButton } from '../../shared/PaymentReceiptButton.tsx';
import { paymentTexts } from '../../shared/catalogs/payment/texts.ts';

type PaymentHistoryProps = { document: Document; payments: readonly Payment[] };

/** All payments; the user's own completed payments have a receipt. */
export function PaymentHistory({ document, payments }: PaymentHistoryProps) {
  const t = useTexts(paymentTexts);
  const { user_id } = useUser();
  return (
    <Sheet title={t('history')}>
      {payments.length === 0 ? (
        <Welcome small picture="wallet" title={t('noHistory')} text={t('noHistoryText')} />
      ) : (
        <ul className={`${css.rows} ${css.history}`}>
          {payments.map((payment) => (
            <li key={payment._id} className={css.row}>
              <span className="k-num">
                {t('paidBy', {
                  name: nameOf(document, payment.user_id),
                  when: formatDateTime(payment.created_at),
                })}
              </span>
              <Badge tone={payment.status === 'completed' ? 'verified' : 'neutral'}>
                {statusText(payment.status)}
              </Badge>
              <span className={css.money}>{money(payment.amount)}</span>
              {payment.status === 'completed' && payment.user_id === user_id && (
                <ReceiptButton payment={payment} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
