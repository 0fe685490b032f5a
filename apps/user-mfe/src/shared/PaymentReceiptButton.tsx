import { call, toastText } from '@karaar/api-client';
import { paymentsRoutes, type Payment } from '@karaar/contracts/payments/http';
import { useLanguage, useTexts } from '@karaar/i18n';
import { IconButton, money, saveFile, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { paymentTexts } from './catalogs/payment/texts.ts';

/** Downloads the receipt of a completed payment of the user; in English and in the language of the screen. */
export function ReceiptButton({ payment }: { payment: Payment }) {
  const t = useTexts(paymentTexts);
  const language = useLanguage();
  const receipt = useMutation({
    mutationFn: (id: string) => call(paymentsRoutes.receipt, { params: { id }, query: { language } }),
    onSuccess: (file, id) => saveFile(file, `karaar-receipt-${id}.pdf`),
    onError: (error) => toast.error(toastText(error, t('receiptFailed'))),
  });
  return (
    <IconButton
      icon="download"
      label={t('receiptFor', { amount: money(payment.amount) })}
      onClick={() => receipt.mutate(payment._id)}
      disabled={receipt.isPending}
    />
  );
}
