import { call, toastText } from '@karaar/api-client';
import type { AdminPayment } from '@karaar/contracts/payments/http';
import { readAmount } from '@karaar/contracts/typed/amount';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { useTexts } from '@karaar/i18n';
import { money, toast } from '@karaar/ui';
import { AmountField } from '@karaar/ui/amounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import { paymentsTexts } from './texts.ts';

/**
 * Refunds a top-up, or a part of it, to its card. One dialog is one refund, however often it is submitted.
 */
export function RefundDialog({ payment, onClose }: { payment: AdminPayment; onClose: () => void }) {
  const t = useTexts(paymentsTexts);
  const queries = useQueryClient();
  const [typed, setTyped] = useState(String(payment.amount));
  const amount = Number(readAmount(typed) ?? 0);
  const [key] = useState(() => crypto.randomUUID());
  const refund = useMutation({
    mutationFn: (reason: string) =>
      call(walletRoutes.createRefund, {
        body: {
          payment_id: payment.payment_id ?? '',
          amount,
          reason,
          // Another amount is another refund.
          idempotency_key: `${key}:${amount}`,
        },
      }),
    onSuccess: ({ status, amount: sent }) => {
      void queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'payments'] });
      toast.success(t(status === 'processed' ? 'refundDone' : 'refundPending', { amount: money(sent) }));
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('refundFailed'))),
  });
  const submit = (reason: string) => {
    if (amount <= 0 || amount > payment.amount)
      return toast.error(t('badAmount', { most: money(payment.amount) }));
    refund.mutate(reason);
  };
  return (
    <ReasonDialog
      title={t('refundTitle')}
      text={t('refundText', { name: payment.user_name, amount: money(payment.amount) })}
      confirm={t('refundConfirm')}
      reject
      busy={refund.isPending}
      onConfirm={submit}
      onClose={onClose}
    >
      <AmountField
        label={t('refundAmount')}
        min={0.01}
        max={payment.amount}
        value={typed}
        onChange={setTyped}
      />
    </ReasonDialog>
  );
}
