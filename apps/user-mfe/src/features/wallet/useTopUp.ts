import { answerText, call, toastText } from '@karaar/api-client';
import { walletRoutes, type WaitingTopUp } from '@karaar/contracts/wallet/http';
import { useTexts } from '@karaar/i18n';
import { money, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../../shared/useShell.ts';
import { runCheckout, type CheckoutAnswer, type CheckoutOutcome } from './checkout.ts';
import { walletTexts } from './texts.ts';

export type TopUpPhase = 'idle' | 'checkout' | 'verifying';

type Order = WaitingTopUp['order'];
type Opened = { order: Order; key_id: string; checkout_url: string };

/**
 * Creates an order, opens the checkout and verifies the payment: ends in success, error or cancel (spec §4
 * Wallet top-up).
 * @returns `topUp`, and `finish` for an order that exists; both resolve to true if the money is in the wallet
 */
export function useTopUp() {
  const t = useTexts(walletTexts);
  const user = useUser();
  const queries = useQueryClient();
  const [phase, setPhase] = useState<TopUpPhase>('idle');

  const open = useMutation({
    mutationFn: async (begin: () => Promise<Opened>): Promise<CheckoutOutcome & { paise: number }> => {
      const { order, key_id, checkout_url } = await begin();
      const outcome = await runCheckout({
        key: key_id,
        orderId: order.id,
        amount: order.amount,
        currency: order.currency,
        scriptUrl: checkout_url,
        prefill: { name: user.name, email: user.email, contact: user.phone_no },
      });
      return { ...outcome, paise: order.amount };
    },
  });
  const verify = useMutation({
    mutationFn: (answer: CheckoutAnswer) => call(walletRoutes.verifyPayment, { body: answer }),
  });

  const settle = async (outcome: CheckoutOutcome & { paise: number }): Promise<boolean> => {
    if (outcome.kind === 'cancelled') toast.info(t('cancelled'));
    if (outcome.kind === 'failed') toast.error(outcome.reason);
    if (outcome.kind !== 'paid') return false;
    setPhase('verifying');
    const { success, message } = await verify.mutateAsync(outcome.answer);
    if (success) toast.success(t('done', { amount: money(outcome.paise / 100) }));
    else toast.error(answerText(message, t('verifyFailed')));
    return success;
  };

  const run = async (begin: () => Promise<Opened>): Promise<boolean> => {
    setPhase('checkout');
    try {
      const outcome = await open.mutateAsync(begin).catch((error: unknown) => {
        toast.error(toastText(error, t('orderFailed')));
        return null;
      });
      return outcome !== null && (await settle(outcome));
    } catch (error) {
      toast.error(toastText(error, t('verifyFailed')));
      return false;
    } finally {
      await queries.invalidateQueries({ queryKey: ['wallet'] });
      setPhase('idle');
    }
  };
  return {
    topUp: (rupees: number) => run(() => call(walletRoutes.createOrder, { body: { amount: rupees } })),
    finish: (order: Order) => run(async () => ({ ...(await call(walletRoutes.waitingTopUps, {})), order })),
    phase,
  };
}
