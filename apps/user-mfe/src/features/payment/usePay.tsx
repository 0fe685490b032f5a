import { ApiError, call, toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { paymentsRoutes, type Calculation } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { shortMoney, toast, useConfirm } from '@karaar/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { balanceQuery } from '../../shared/queries.ts';
import { useUser } from '../../shared/useShell.ts';
import { payFault, saysNotSetUp } from './charge.ts';
import { paymentTexts } from './texts.ts';

/** Milliseconds between a payment and the reload of the page (spec §4 Payment). */
const RELOAD_MS = 800;

/** What this user pays: the own share, or the whole amount while no distribution is set up. */
function amountOf(calculation: Calculation, userId: string): number {
  const shares = calculation.payment_distributions;
  if (shares.length === 0) return calculation.total_amount;
  return shares.find((share) => share.user_id === userId)?.amount ?? 0;
}

/** The payment did not come to it: its distribution could not be set up. */
class SetUpFault extends Error {
  constructor(options: ErrorOptions) {
    super('The distribution could not be set up', options);
  }
}

/**
 * Sets up a distribution of 100% to the primary user. The document page says 1 day whatever the document's dates
 * are (spec §4 Payment); where the server reckons otherwise it refuses, and its own calculation then applies.
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
 * Pays from the wallet: asks first, sets up a 100% distribution to the primary user when there is none and tries
 * again, then reloads the page.
 *
 * @param durationDays the duration for a distribution that is set up on the way (1 on the document page, the
 *   calculated one on the payment page)
 */
export function usePay(document: Document, calculation: Calculation | undefined, durationDays: number) {
  const t = useTexts(paymentTexts);
  const { user_id } = useUser();
  const balance = useQuery(balanceQuery);
  const { ask, dialog } = useConfirm();
  // The same effect however often it is sent: an answer that is lost does not make a second payment.
  const key = useRef(crypto.randomUUID());
  const params = { id: document.document_id };

  const pay = useMutation({
    mutationFn: async () => {
      const send = () => call(paymentsRoutes.pay, { params, body: {} }, { idempotencyKey: key.current });
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
    },
    onSuccess: () => {
      toast.success(t('done'));
      setTimeout(() => location.reload(), RELOAD_MS);
    },
    onError: (error) => {
      if (error instanceof SetUpFault) return toast.error(toastText(error.cause, t('setUpFailed')));
      if (error instanceof ApiError && error.status !== 0) key.current = crypto.randomUUID();
      toast.error(toastText(error, t('payFailed')));
    },
  });

  const start = async () => {
    if (!calculation) return toast.error(t('chargeFailed'));
    const amount = amountOf(calculation, user_id);
    const shareHolders = calculation.payment_distributions.map((share) => share.user_id);
    const fault = payFault({
      document,
      userId: user_id,
      shareHolders,
      amount,
      balance: balance.data?.balance,
    });
    if (fault) return toast.error(t(fault));
    const price = shortMoney(amount);
    const agreed = await ask({
      title: t('askTitle'),
      text: t('ask', { amount: price, name: document.name }),
      confirm: t('confirm', { amount: price }),
    });
    if (agreed) pay.mutate();
  };

  const paying: boolean = pay.isPending || pay.isSuccess;
  return { start, paying, dialog: dialog as ReactNode };
}
