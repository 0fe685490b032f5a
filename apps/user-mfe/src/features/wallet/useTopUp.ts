import { answerText, call, toastText } from '@karaar/api-client';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { useTexts } from '@karaar/i18n';
import { money, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../../shared/useShell.ts';
import { runCheckout, type CheckoutAnswer, type CheckoutOutcome } from './checkout.ts';
import { walletTexts } from './texts.ts';

export type TopUpPhase = 'idle' | 'checkout' | 'verifying';

/**
 * Creates an order, opens the checkout and verifies the payment: ends in success, error or cancel (spec §4
 * Wallet top-up).
 * @returns `topUp`, which resolves to true if the money is in the wallet
 */
export function useTopUp(): { topUp: (rupees: number) => Promise<boolean>; phase: TopUpPhase } {
  const t = useTexts(walletTexts);
  const user = useUser();
  const queries = useQueryClient();
  const [phase, setPhase] = useState<TopUpPhase>('idle');

  const open = useMutation({
    mutationFn: async (rupees: number): Promise<CheckoutOutcome> => {
      const { order, key_id, checkout_url } = await call(walletRoutes.createOrder, {
        body: { amount: rupees },
      });
      return runCheckout({
        key: key_id,
        orderId: order.id,
        amount: order.amount,
        currency: order.currency,
        scriptUrl: checkout_url,
        prefill: { name: user.name, email: user.email, contact: user.phone_no },
      });
    },
  });
  const verify = useMutation({
    mutationFn: (answer: CheckoutAnswer) => call(walletRoutes.verifyPayment, { body: answer }),
  });

  const finish = async (outcome: CheckoutOutcome, rupees: number): Promise<boolean> => {
    if (outcome.kind === 'cancelled') toast.info(t('cancelled'));
    if (outcome.kind === 'failed') toast.error(outcome.reason);
    if (outcome.kind !== 'paid') return false;
    setPhase('verifying');
    const { success, message } = await verify.mutateAsync(outcome.answer);
    if (success) toast.success(t('done', { amount: money(rupees) }));
    else toast.error(answerText(message, t('verifyFailed')));
    await queries.invalidateQueries({ queryKey: ['wallet'] });
    return success;
  };

  const topUp = async (rupees: number) => {
    setPhase('checkout');
    try {
      const outcome = await open.mutateAsync(rupees).catch((error: unknown) => {
        toast.error(toastText(error, t('orderFailed')));
        return null;
      });
      return outcome !== null && (await finish(outcome, rupees));
    } catch (error) {
      toast.error(toastText(error, t('verifyFailed')));
      return false;
    } finally {
      setPhase('idle');
    }
  };
  return { topUp, phase };
}
