import { call, toastText } from '@karaar/api-client';
import { paymentsRoutes, type Reversal } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { money, toast, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import { paymentsTexts } from './texts.ts';
import { showReversalToast } from './reversal-toast.ts';

/** Declines a pending reversal, with a reason; the payment stays paid. */
export function DeclineDialog({ reversal, onClose }: { reversal: Reversal; onClose: () => void }) {
  const t = useTexts(paymentsTexts);
  const queries = useQueryClient();
  const decline = useMutation({
    mutationFn: (reason: string) =>
      call(paymentsRoutes.declineReversal, { params: { id: reversal.reversal_id }, body: { reason } }),
    onSuccess: (declined) => {
      showReversalToast(declined, t);
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('reverseFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'payments'] }),
  });
  return (
    <ReasonDialog
      title={t('declineTitle')}
      text={t('declineText', { name: userName(reversal.user_name), amount: money(reversal.amount) })}
      confirm={t('declineConfirm')}
      reject
      busy={decline.isPending}
      onConfirm={(reason) => decline.mutate(reason)}
      onClose={onClose}
    />
  );
}
