import { call, toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { logRoutes } from '@karaar/contracts/documents/log';
import { useTexts } from '@karaar/i18n';
import { Button, saveFile, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { verifyTexts } from './texts.ts';

/** Saves the document's log proof in the format that other programs read. */
export function ProofFileButton({ document }: { document: Document }) {
  const t = useTexts(verifyTexts);
  const fetchIt = useMutation({
    mutationFn: () => call(logRoutes.proofFile, { params: { id: document.document_id } }),
    onSuccess: (file) => saveFile(file, `${document.document_code}.tlog-proof`),
    onError: (error) => toast.error(toastText(error, t('proofFileFailed'))),
  });
  return (
    <span>
      <Button compact icon="download" onClick={() => fetchIt.mutate()} loading={fetchIt.isPending}>
        {t('proofFile')}
      </Button>
    </span>
  );
}
