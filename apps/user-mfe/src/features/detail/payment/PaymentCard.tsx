import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import {
  Badge,
  Button,
  ErrorState,
  money,
  Row,
  Sheet,
  shortMoney,
  Skeleton,
  Stack,
  statusText,
} from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { chargeQuery } from '../../../shared/charge-query.ts';
import { isPayer, paidRupees } from '../../payment/charge.ts';
import { hasPaid } from '../../../shared/paid.ts';
import { paymentTexts } from '../../../shared/catalogs/payment/texts.ts';
import type { Paying } from '../../payment/usePay.tsx';
import { useUser } from '../../../shared/useShell.ts';
import { PriceNote } from '../../reading/PriceNote.tsx';
import css from '../detail.module.css';
import type { Actions } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** A distribution from this page covers one day (spec §4 Payment). */
export const DURATION_DAYS = 1;

type PaymentCardProps = { document: Document; actions: Actions; paying: Paying };

/** The price of the document, its payment status, and the payment. */
export function PaymentCard({ document, actions, paying: { start, paying } }: PaymentCardProps) {
  const t = useTexts(detailTexts);
  const sayPayment = useTexts(paymentTexts);
  const { user_id } = useUser();
  const charge = useQuery(chargeQuery(document.document_id));
  const calculation = charge.data?.calculation;
  const paid = charge.data?.status.completed === true;
  const partial = paidRupees(charge.data?.payments ?? []) > 0;
  const ownPaid = hasPaid(charge.data?.payments ?? [], user_id);
  const owes = !calculation || isPayer(document, calculation, user_id);
  return (
    <Sheet title={t('payment')}>
      <Stack>
        {charge.isPending && <Skeleton lines={2} />}
        {charge.isError && (
          <ErrorState
            title={toastText(charge.error, sayPayment('chargeFailed'))}
            onRetry={() => void charge.refetch()}
            retrying={charge.isFetching}
          />
        )}
        {calculation && (
          <div>
            <Row justify="space-between">
              <span className={css.amount}>{money(calculation.total_amount)}</span>
              <Badge tone={paid ? 'verified' : 'waiting'}>
                {paid ? t('paid') : partial ? statusText('partial') : t('notPaid')}
              </Badge>
            </Row>
            <p className="k-muted k-small k-num">
              {t('perDay', {
                rate: shortMoney(calculation.daily_rate),
                days: t('dayCount', { days: calculation.duration_days }),
              })}
            </p>
          </div>
        )}
        {calculation && !ownPaid && (
          <p className="k-small">
            <PriceNote document={document} />
          </p>
        )}
        {ownPaid && !paid && <p>{sayPayment('ownPaid')}</p>}
        {actions.pay && owes && !paid && !ownPaid && document.status !== 'rejected' && (
          <>
            <Button
              wide
              icon="wallet"
              onClick={start}
              disabled={!actions.payable || charge.isPending}
              loading={paying}
            >
              {t('pay')}
            </Button>
            {!actions.payable && <p className="k-muted k-small">{sayPayment('documentSettled')}</p>}
          </>
        )}
        <Link to={`/document/${document.document_id}/payment`}>{t('paymentPage')}</Link>
      </Stack>
    </Sheet>
  );
}
