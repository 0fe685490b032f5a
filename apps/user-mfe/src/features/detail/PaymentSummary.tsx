import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { Badge, Facts, money, shortMoney, Skeleton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { chargeQuery } from '../../shared/queries.ts';
import { paidRupees } from '../payment/charge.ts';
import { paymentTexts } from '../payment/texts.ts';
import css from './detail.module.css';
import { detailTexts } from './texts.ts';

/** What the document costs and what has been paid; paying is on the payment page. */
export function PaymentSummary({ documentId }: { documentId: string }) {
  const sayPayment = useTexts(paymentTexts);
  const t = useTexts(detailTexts);
  const charge = useQuery(chargeQuery(documentId));
  const paid = charge.data?.status.completed === true;
  return (
    <section aria-label={sayPayment('summary')}>
      <h3 className={css.sectionHead}>{t('payment')}</h3>
      {charge.isPending && <Skeleton lines={2} />}
      {charge.isError && <p className="k-muted">{toastText(charge.error, sayPayment('chargeFailed'))}</p>}
      {charge.data && (
        <>
          <Facts
            entries={[
              [sayPayment('total'), money(charge.data.calculation.total_amount)],
              [sayPayment('days'), sayPayment('dayCount', { days: charge.data.calculation.duration_days })],
              [sayPayment('rate'), shortMoney(charge.data.calculation.daily_rate)],
              [sayPayment('paidSoFar'), money(paidRupees(charge.data.payments))],
              [
                sayPayment('status'),
                <Badge key="status" tone={paid ? 'verified' : 'waiting'}>
                  {paid ? t('paid') : t('notPaid')}
                </Badge>,
              ],
            ]}
          />
          <p className={css.after}>
            <Link to={`/document/${documentId}/payment`}>{t('paymentPage')}</Link>
          </p>
        </>
      )}
    </section>
  );
}
