import { toastText } from '@karaar/api-client';
import { TOP_UP_MAX_RUPEES } from '@karaar/contracts/limits';
import type { Document } from '@karaar/contracts/documents/http';
import type { Calculation } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import {
  Button,
  ErrorState,
  Facts,
  Modal,
  money,
  Banner,
  Row,
  shortMoney,
  Skeleton,
  Stack,
} from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { balanceQuery } from '../../shared/queries.ts';
import { useUser } from '../../shared/useShell.ts';
import { isConfirming } from '../step-up/useStepUp.tsx';
import { useTopUp } from '../wallet/useTopUp.ts';
import { amountOf, percentOf, shortfall } from './charge.ts';
import css from './payment.module.css';
import { paymentTexts } from '../../shared/catalogs/payment/texts.ts';

type PayDialogProps = {
  document: Document;
  calculation: Calculation;
  sending: boolean;
  onCancel: () => void;
  onPay: () => Promise<unknown>;
};

/** Asks before a payment from the wallet, and names the share; adds missing money first. */
export default function PayDialog({ document, calculation, sending, onCancel, onPay }: PayDialogProps) {
  const t = useTexts(paymentTexts);
  const { user_id } = useUser();
  const balance = useQuery(balanceQuery);
  const { topUp, phase } = useTopUp();
  const [added, setAdded] = useState(false);
  const amount = amountOf(calculation, user_id);
  const available = balance.data?.balance;
  const short = available === undefined || added ? null : shortfall(amount, available);
  const busy = sending || phase !== 'idle';
  // The page shows the failure; the dialog stays open for another try.
  const pay = () => void onPay().catch(() => undefined);
  const addAndPay = async (rupees: number) => {
    if (!(await topUp(rupees))) return;
    setAdded(true);
    pay();
  };
  return (
    <Modal
      title={t('askTitle')}
      // Closed during the checkout, which needs the whole window.
      opened={phase !== 'checkout'}
      onClose={() => !busy && !isConfirming() && onCancel()}
      width={460}
      dismissible={!busy}
    >
      <Stack gap={2.5}>
        <div>
          <p className={css.amount}>{money(amount)}</p>
          <p className="k-muted k-num">{useShareText(calculation, user_id)}</p>
        </div>
        <p>{t('ask', { amount: shortMoney(amount), name: document.name })}</p>
        {balance.isPending && <Skeleton lines={2} />}
        {balance.isError && (
          <ErrorState
            title={toastText(balance.error, t('chargeFailed'))}
            onRetry={() => void balance.refetch()}
            retrying={balance.isFetching}
          />
        )}
        {available !== undefined && !short && !added && (
          <Facts
            entries={[
              [t('wallet'), money(available)],
              [t('afterwards'), money((Math.round(available * 100) - Math.round(amount * 100)) / 100)],
            ]}
          />
        )}
        {short && (
          <Banner tone="warning">
            <span>{t(short.message)}</span>
            {short.rupees > TOP_UP_MAX_RUPEES && <span>{` ${t('addInParts')}`}</span>}
          </Banner>
        )}
        <Row justify="flex-end">
          <Button onClick={onCancel} disabled={busy}>
            {t('cancel')}
          </Button>
          <PayButton
            amount={amount}
            missing={short?.rupees}
            busy={busy}
            known={!balance.isPending}
            onAddAndPay={(rupees) => void addAndPay(rupees)}
            onPay={pay}
          />
        </Row>
      </Stack>
    </Modal>
  );
}

type PayButtonProps = {
  amount: number;
  /** Whole rupees that the wallet lacks. */
  missing: number | undefined;
  busy: boolean;
  known: boolean;
  onAddAndPay: (rupees: number) => void;
  onPay: () => void;
};

/** Pays, or adds missing money first; more than one top-up cannot be added here. */
function PayButton({ amount, missing, busy, known, onAddAndPay, onPay }: PayButtonProps) {
  const t = useTexts(paymentTexts);
  if (missing !== undefined && missing <= TOP_UP_MAX_RUPEES)
    return (
      <Button variant="primary" icon="wallet" onClick={() => onAddAndPay(missing)} loading={busy}>
        {t('addAndPay', { amount: shortMoney(missing) })}
      </Button>
    );
  return (
    <Button
      variant="primary"
      icon="wallet"
      onClick={onPay}
      loading={busy}
      disabled={!known || missing !== undefined}
    >
      {t('confirm', { amount: shortMoney(amount) })}
    </Button>
  );
}

/** Returns "Your 70% of ₹201 for 7 days", or that it is the whole charge. */
function useShareText(calculation: Calculation, userId: string): string {
  const t = useTexts(paymentTexts);
  const percent = percentOf(calculation, userId);
  const values = { total: shortMoney(calculation.total_amount), days: calculation.duration_days };
  return percent === null || percent === 100 ? t('wholeFor', values) : t('shareFor', { ...values, percent });
}
