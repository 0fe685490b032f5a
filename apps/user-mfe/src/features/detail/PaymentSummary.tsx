import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import type { Calculation } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { Badge, Button, Facts, money, Row, shortMoney, Skeleton, userName } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { chargeQuery } from '../../shared/queries.ts';
import { paidRupees } from '../payment/charge.ts';
import { paymentTexts } from '../payment/texts.ts';
import css from './detail.module.css';
import { DistributionForm } from './DistributionForm.tsx';
import type { Actions } from './roles.ts';
import { detailTexts } from './texts.ts';

/** What the document costs, who pays how much of it, and what has been paid; paying is on the payment page. */
export function PaymentSummary({ document, actions }: { document: Document; actions: Actions }) {
  const documentId = document.document_id;
  const [sharing, setSharing] = useState(false);
  const sayPayment = useTexts(paymentTexts);
  const t = useTexts(detailTexts);
  const charge = useQuery(chargeQuery(documentId));
  const paid = charge.data?.status.completed === true;
  const distributed = charge.data?.calculation.payment_status !== 'not_setup';
  const untouched = charge.data !== undefined && paidRupees(charge.data.payments) === 0;
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
          <div className={css.after}>
            <Shares document={document} calculation={charge.data.calculation} />
            {actions.manage && !paid && (sharing || (actions.payable && !distributed)) && (
              <DistributionForm
                key={charge.dataUpdatedAt}
                document={document}
                calculation={charge.data.calculation}
                onDone={() => setSharing(false)}
              />
            )}
            {actions.manage && !actions.payable && <p className="k-muted k-small">{t('shareLater')}</p>}
            <Row gap={1.5}>
              {actions.manage && distributed && untouched && !sharing && (
                <Button compact onClick={() => setSharing(true)}>
                  {t('shareChange')}
                </Button>
              )}
              {distributed && !paid && actions.payable && (
                <Button
                  as={Link}
                  compact
                  variant="primary"
                  icon="wallet"
                  to={`/document/${documentId}/payment`}
                >
                  {t('makePayment')}
                </Button>
              )}
              <Link to={`/document/${documentId}/payment`}>{t('paymentPage')}</Link>
            </Row>
          </div>
        </>
      )}
    </section>
  );
}

/** Each party's share, as it was set up. */
function Shares({ document, calculation }: { document: Document; calculation: Calculation }) {
  const t = useTexts(detailTexts);
  const name = (userId: string) => userName(document.parties.find((party) => party.user_id === userId)?.name);
  if (calculation.payment_distributions.length === 0) return null;
  return (
    <ul className={css.shareList} aria-label={t('shareTitle')}>
      {calculation.payment_distributions.map((share) => (
        <li key={share.user_id}>
          <span>{name(share.user_id)}</span>
          <span className="k-num">
            {t('shareOf', { percent: share.percentage, amount: money(share.amount) })}
          </span>
        </li>
      ))}
    </ul>
  );
}
