import { ApiError, call, toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { paymentsRoutes, type Calculation } from '@karaar/contracts/payments/http';
import { screen, useTexts } from '@karaar/i18n';
import { LoadBoundary, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import { balanceQuery } from '../../shared/queries.ts';
import { useUser } from '../../shared/useShell.ts';
import { amountOf, payFault, saysNotSetUp } from './charge.ts';
import { stepUpText, useStepUp } from '../step-up/useStepUp.tsx';
import { walletTexts } from '../wallet/texts.ts';
import { paymentTexts } from '../../shared/catalogs/payment/texts.ts';

// One chunk with the dashboard's checkout: each further one adds to the entry, which every page loads.
const PayDialog = screen(() => import(/* webpackChunkName: "paying" */ './PayDialog.tsx'), [walletTexts]);

/** Milliseconds between a payment and the reload of the page (spec §4 Payment). */
const RELOAD_MS = 800;

/** The distribution could not be set up, so the payment was not sent. */
class SetUpFault extends Error {
  constructor(options: ErrorOptions) {
    super('The distribution could not be set up', options);
  }
}

/**
 * Sets up a distribution of 100% to the primary user. The document page always sends 1 day (spec §4 Payment);
 * if the server refuses that, its own calculation applies.
 */
async function setUpWhole(document: Document, durationDays: number): Promise<void> {
  const params = { id: document.document_id };
  const payment_distributions = [{ user_id: document.primary_user, percentage: 100 }];
  try {
    await call(paymentsRoutes.setupDistribution, {
      params,
      body: { payment_distributions, duration_days: durationDays },
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'amount_differs') throw error;
    await call(paymentsRoutes.setupDistribution, { params, body: { payment_distributions } });
  }
}

/**
 * Pays from the wallet: asks first (and adds missing money), sets up a 100% distribution to the primary user
 * of a document without one and retries, then reloads the page.
 * @param durationDays the duration of such a distribution (1 on the document page, the calculated one on the
 * payment page)
 */
export function usePay(document: Document, calculation: Calculation | undefined, durationDays: number) {
  const t = useTexts(paymentTexts);
  const { user_id } = useUser();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { perform, dialog: stepUp } = useStepUp();
  // The idempotency key: a retry after a lost response makes no second payment.
  const key = useRef(crypto.randomUUID());
  const send = () =>
    perform(
      {
        action: 'pay' as const,
        document_id: document.document_id,
        // The amount in the dialog; the service refuses a grant for another amount.
        amount_paise: Math.round((calculation ? amountOf(calculation, user_id) : 0) * 100),
      },
      (options) =>
        call(
          paymentsRoutes.pay,
          { params: { id: document.document_id }, body: {} },
          { ...options, idempotencyKey: key.current },
        ),
      { name: document.name },
    );
  const payOnce = async () => {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || !saysNotSetUp(error.code, toastText(error, ''))) throw error;
      await setUpWhole(document, durationDays).catch((cause: unknown) => {
        throw new SetUpFault({ cause });
      });
      key.current = crypto.randomUUID();
      return send();
    }
  };
  const pay = useMutation({
    mutationFn: payOnce,
    onSuccess: () => {
      setAsking(false);
      toast.success(t('done'));
      setTimeout(() => location.reload(), RELOAD_MS);
    },
    onError: (error) => {
      if (error instanceof SetUpFault) return toast.error(toastText(error.cause, t('setUpFailed')));
      if (error instanceof ApiError && error.status !== 0) key.current = crypto.randomUUID();
      toast.error(stepUpText(error, t('payFailed')));
      // The balance may be the reason.
      void queries.invalidateQueries({ queryKey: balanceQuery.queryKey });
    },
  });

  const start = () => {
    if (!calculation) return toast.error(t('chargeFailed'));
    const amount = amountOf(calculation, user_id);
    const shareHolders = calculation.payment_distributions.map((share) => share.user_id);
    const fault = payFault({ document, userId: user_id, shareHolders, amount });
    if (fault) return toast.error(t(fault));
    setAsking(true);
  };

  const paying: boolean = pay.isPending || pay.isSuccess;
  const dialog: ReactNode = asking && calculation && (
    <>
      <LoadBoundary>
        <Suspense>
          <PayDialog
            document={document}
            calculation={calculation}
            sending={paying}
            onCancel={() => setAsking(false)}
            onPay={pay.mutateAsync}
          />
        </Suspense>
      </LoadBoundary>
      {stepUp}
    </>
  );
  return { start, paying, dialog };
}

export type Paying = ReturnType<typeof usePay>;
