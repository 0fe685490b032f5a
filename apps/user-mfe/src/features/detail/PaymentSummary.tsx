import { toastText } from '@karaar/api-client';
import { Badge, Facts, money, shortMoney, Skeleton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { chargeQuery } from '../../shared/queries.ts';
import { paidRupees } from '../payment/charge.ts';
import { paymentTexts } from '../payment/texts.ts';
import css from './detail.module.css';
import { detailTexts as texts } from './texts.ts';

/** What the document costs and what has been paid; paying is on the payment page. */
export function PaymentSummary({ documentId }: { documentId: string }) {
  const charge = useQuery(chargeQuery(documentId));
  const paid = charge.data?.status.completed === true;
  return (
    <section aria-label={paymentTexts.summary}>
      <h3 className={css.sectionHead}>{texts.payment}</h3>
      {charge.isPending && <Skeleton lines={2} />}
      {charge.isError && <p className="k-muted">{toastText(charge.error, paymentTexts.chargeFailed)}</p>}
      {charge.data && (
        <>
          <Facts
            entries={[
              [paymentTexts.total, money(charge.data.calculation.total_amount)],
              [paymentTexts.days, paymentTexts.dayCount(charge.data.calculation.duration_days)],
              [paymentTexts.rate, shortMoney(charge.data.calculation.daily_rate)],
              [paymentTexts.paidSoFar, money(paidRupees(charge.data.payments))],
              [
                paymentTexts.status,
                <Badge key="status" tone={paid ? 'verified' : 'waiting'}>
                  {paid ? texts.paid : texts.notPaid}
                </Badge>,
              ],
            ]}
          />
          <p className={css.after}>
            <Link to={`/document/${documentId}/payment`}>{texts.paymentPage}</Link>
          </p>
        </>
      )}
    </section>
  );
}
