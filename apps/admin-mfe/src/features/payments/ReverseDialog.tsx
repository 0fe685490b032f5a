import { call, toastText } from '@karaar/api-client';
import { paymentsRoutes, type AdminPayment } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { money, toast, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import { paymentsTexts } from './texts.ts';
import { showReversalToast } from './reversal-toast.ts';

/** Reverses a document's payment to the payer's wallet, or asks a second admin to confirm that. */
export function ReverseDialog({ payment, onClose }: { payment: AdminPayment; onClose: () => void }) {
  const t = useTexts(paymentsTexts);
  const queries = useQueryClient();
  const reverse = useMutation({
    mutationFn: (reason: string) =>
      call(paymentsRoutes.reversePayment, { params: { id: payment._id }, body: { reason } }),
    onSuccess: (reversal) => {
      showReversalToast(reversal, t);
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('reverseFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'payments'] }),
  });
  return (
    <ReasonDialog
      title={t('reverseTitle')}
      text={t('reverseText', { name: userName(payment.user_name), amount: money(payment.amount) })}
      confirm={t('reverseConfirm')}
      reject
      busy={reverse.isPending}
      onConfirm={(reason) => reverse.mutate(reason)}
      onClose={onClose}
    />
  );
}
