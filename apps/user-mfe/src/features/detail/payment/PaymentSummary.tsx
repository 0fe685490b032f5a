import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import type { Calculation, Payment } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import {
  Badge,
  Button,
  Facts,
  money,
  Row,
  shortMoney,
  Skeleton,
  Stack,
  statusText,
  userName,
} from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { chargeQuery } from '../../../shared/charge-query.ts';
import { useUser } from '../../../shared/useShell.ts';
import { isPayer, paidRupees, paymentState, stateTones } from '../../payment/charge.ts';
import { hasPaid } from '../../../shared/paid.ts';
import { paymentTexts } from '../../../shared/catalogs/payment/texts.ts';
import { usePay } from '../../payment/usePay.tsx';
import css from '../detail.module.css';
import { DistributionForm } from './DistributionForm.tsx';
import { DURATION_DAYS } from './PaymentCard.tsx';
import type { Actions } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type PaymentSummaryProps = { document: Document; actions: Actions };
type Charge = { calculation: Calculation; payments: readonly Payment[] };

/** The payment part of the dialog: a summary, then the actions for the payment's state (spec §4 Payment). */
export function PaymentSummary({ document, actions }: PaymentSummaryProps) {
  const sayPayment = useTexts(paymentTexts);
  const t = useTexts(detailTexts);
  const charge = useQuery(chargeQuery(document.document_id));
  return (
    <section aria-label={sayPayment('summary')}>
      <h3 className={css.sectionHead}>{t('payment')}</h3>
      {charge.isPending && <Skeleton lines={2} />}
      {charge.isError && <p className="k-muted">{toastText(charge.error, sayPayment('chargeFailed'))}</p>}
      {charge.data && (
        <Stack gap={2}>
          <Summary {...charge.data} />
          <Shares document={document} {...charge.data} />
          <NextStep document={document} actions={actions} {...charge.data} />
        </Stack>
      )}
    </section>
  );
}

function Summary({ calculation, payments }: Charge) {
  const t = useTexts(paymentTexts);
  const state =
    calculation.payment_status === 'completed'
      ? 'completed'
      : paymentState(payments, calculation.total_amount);
  return (
    <Facts
      entries={[
        [t('total'), money(calculation.total_amount)],
        [t('days'), t('dayCount', { days: calculation.duration_days })],
        [t('rate'), shortMoney(calculation.daily_rate)],
        [t('paidSoFar'), money(paidRupees(payments))],
        [
          t('status'),
          <Badge key="status" tone={stateTones[state]}>
            {statusText(state)}
          </Badge>,
        ],
      ]}
    />
  );
}

function Shares({ document, calculation, payments }: Charge & { document: Document }) {
  const t = useTexts(detailTexts);
  const name = (userId: string) => userName(document.parties.find((party) => party.user_id === userId)?.name);
  if (calculation.payment_distributions.length === 0) return null;
  return (
    <ul className={css.shareList} aria-label={t('shareTitle')}>
      {calculation.payment_distributions.map((share) => {
        const paid = share.amount === 0 || hasPaid(payments, share.user_id);
        return (
          <li key={share.user_id}>
            <span>{name(share.user_id)}</span>
            <span className="k-muted k-num">
              {t('shareOf', { percent: share.percentage, amount: money(share.amount) })}
            </span>
            <Badge tone={paid ? 'verified' : 'waiting'}>{paid ? t('paid') : t('notPaid')}</Badge>
          </li>
        );
      })}
    </ul>
  );
}

/**
 * Offers the distribution for not_setup, once the document is approved; the payment for distributed; nothing
 * for completed.
 */
function NextStep({ document, actions, calculation, payments }: PaymentSummaryProps & Charge) {
  const t = useTexts(detailTexts);
  const sayPayment = useTexts(paymentTexts);
  const { user_id } = useUser();
  const [changing, setChanging] = useState(false);
  const { start, paying, dialog } = usePay(document, calculation, DURATION_DAYS);
  const state = calculation.payment_status;
  const distributed = state === 'distributed';
  const ownPaid = hasPaid(payments, user_id);
  const owes = !ownPaid && isPayer(document, calculation, user_id);
  const sharing = actions.manage && actions.payable && (state === 'not_setup' || (distributed && changing));
  const people = document.parties.map((party) => party.user_id).join();
  return (
    <>
      {sharing && (
        <DistributionForm
          // Remounts on other parties or shares only: a remount on every refetch would discard the input.
          key={`${people} ${JSON.stringify(calculation.payment_distributions)}`}
          document={document}
          calculation={calculation}
          onDone={() => setChanging(false)}
        />
      )}
      {actions.manage && !actions.payable && <p className="k-muted k-small">{t('shareLater')}</p>}
      {distributed && ownPaid && <p>{sayPayment('ownPaid')}</p>}
      <Row gap={1.5}>
        {distributed && owes && !changing && actions.payable && (
          <Button variant="primary" icon="wallet" onClick={start} loading={paying}>
            {t('makePayment')}
          </Button>
        )}
        {distributed && actions.manage && !changing && paidRupees(payments) === 0 && (
          <Button onClick={() => setChanging(true)}>{t('shareChange')}</Button>
        )}
        <Link to={`/document/${document.document_id}/payment`}>{t('paymentPage')}</Link>
      </Row>
      {dialog}
    </>
  );
}
