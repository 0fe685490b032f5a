import { call, toastText } from '@karaar/api-client';
import type { AdminPayment } from '@karaar/contracts/payments/http';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { useTexts } from '@karaar/i18n';
import { money, TextField, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import { paymentsTexts } from './texts.ts';

/** Sends a top-up, or a part of it, back to its card. One dialog is one refund, however often it is pressed. */
export function RefundDialog({ payment, onClose }: { payment: AdminPayment; onClose: () => void }) {
  const t = useTexts(paymentsTexts);
  const queries = useQueryClient();
  const [amount, setAmount] = useState(String(payment.amount));
  const [key] = useState(() => crypto.randomUUID());
  const refund = useMutation({
    mutationFn: (reason: string) =>
      call(walletRoutes.createRefund, {
        body: {
          payment_id: payment.payment_id ?? '',
          amount: Number(amount),
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
    const rupees = Number(amount);
    if (!(rupees > 0) || rupees > payment.amount)
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
      <TextField
        label={t('refundAmount')}
        prefix="₹"
        type="number"
        inputMode="decimal"
        min={0.01}
        max={payment.amount}
        step={0.01}
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
    </ReasonDialog>
  );
}
