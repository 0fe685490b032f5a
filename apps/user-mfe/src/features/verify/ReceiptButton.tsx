import { call, toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { verifyRoutes } from '@karaar/contracts/documents/verify';
import { useTexts } from '@karaar/i18n';
import { Button, saveFile, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { verifyTexts } from './texts.ts';

/** Saves the page that verifies the final PDF offline. */
export function ReceiptButton({ document }: { document: Document }) {
  const t = useTexts(verifyTexts);
  const fetchIt = useMutation({
    mutationFn: () => call(verifyRoutes.receipt, { params: { id: document.document_id } }),
    onSuccess: (page) => saveFile(page, `${document.document_code}-receipt.html`),
    onError: (error) => toast.error(toastText(error, t('receiptFailed'))),
  });
  return (
    <span title={t('receiptNote')}>
      <Button compact icon="download" onClick={() => fetchIt.mutate()} loading={fetchIt.isPending}>
        {t('receipt')}
      </Button>
    </span>
  );
}
