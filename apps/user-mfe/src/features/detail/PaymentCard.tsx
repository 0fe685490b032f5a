import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { Badge, Button, ErrorState, money, Row, Sheet, shortMoney, Skeleton, Stack } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { chargeQuery } from '../../shared/queries.ts';
import { paymentTexts } from '../payment/texts.ts';
import { usePay } from '../payment/usePay.tsx';
import css from './detail.module.css';
import type { Actions } from './roles.ts';
import { detailTexts as texts } from './texts.ts';

/** A distribution that is set up from this page covers one day (spec §4 Payment). */
const DURATION_DAYS = 1;

/** What the document costs, whether it is paid, and paying it. */
export function PaymentCard({ document, actions }: { document: Document; actions: Actions }) {
  const charge = useQuery(chargeQuery(document.document_id));
  const calculation = charge.data?.calculation;
  const { start, paying, dialog } = usePay(document, calculation, DURATION_DAYS);
  const paid = charge.data?.status.completed === true;
  return (
    <Sheet title={texts.payment}>
      <Stack>
        {charge.isPending && <Skeleton lines={2} />}
        {charge.isError && (
          <ErrorState
            title={toastText(charge.error, paymentTexts.chargeFailed)}
            onRetry={() => void charge.refetch()}
            retrying={charge.isFetching}
          />
        )}
        {calculation && (
          <div>
            <Row justify="space-between">
              <span className={css.amount}>{money(calculation.total_amount)}</span>
              <Badge tone={paid ? 'verified' : 'waiting'}>{paid ? texts.paid : texts.notPaid}</Badge>
            </Row>
            <p className="k-muted k-small k-num">
              {texts.perDay(shortMoney(calculation.daily_rate), texts.dayCount(calculation.duration_days))}
            </p>
          </div>
        )}
        {actions.pay && !paid && (
          <>
            <Button
              wide
              icon="wallet"
              onClick={() => void start()}
              disabled={!actions.payable}
              loading={paying}
            >
              {texts.pay}
            </Button>
            {!actions.payable && <p className="k-muted k-small">{paymentTexts.documentSettled}</p>}
          </>
        )}
        <Link to={`/document/${document.document_id}/payment`}>{texts.paymentPage}</Link>
      </Stack>
      {dialog}
    </Sheet>
  );
}
