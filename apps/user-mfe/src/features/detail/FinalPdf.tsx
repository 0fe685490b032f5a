import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { screen, useTexts } from '@karaar/i18n';
import { Button, ErrorState, Row, Sheet, Skeleton, toast, LoadBoundary } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { REVOKE_MS } from '../../shared/save-file.ts';
import { ReceiptButton } from '../verify/ReceiptButton.tsx';
import { detailTexts } from './texts.ts';

const PdfView = screen(() => import('./PdfView.tsx'), []);

/** The sealed PDF: looked at here, or opened in a tab. */
export function FinalPdf({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const pdf = useQuery({
    queryKey: ['final-pdf', document.document_id],
    queryFn: ({ signal }) =>
      call(documentsRoutes.finalPdf, { params: { id: document.document_id } }, { signal }),
    staleTime: Infinity,
  });
  const open = () => {
    if (!pdf.data) return toast.error(toastText(pdf.error, t('finalPdfFailed')));
    const url = URL.createObjectURL(pdf.data);
    window.open(url, '_blank', 'noopener');
    setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
  };
  return (
    <Sheet
      title={t('finalPdf')}
      note={t('finalPdfNote')}
      actions={
        <Row gap={1}>
          {document.blockchain && <ReceiptButton document={document} />}
          <Button compact icon="external" onClick={open} disabled={pdf.isPending}>
            {t('openFinalPdf')}
          </Button>
        </Row>
      }
    >
      {pdf.isPending && <Skeleton height={420} />}
      {pdf.isError && (
        <ErrorState
          title={toastText(pdf.error, t('finalPdfFailed'))}
          onRetry={() => void pdf.refetch()}
          retrying={pdf.isFetching}
        />
      )}
      {pdf.data && (
        <LoadBoundary>
          <Suspense fallback={<Skeleton height={420} />}>
            <PdfView source={pdf.data} label={t('finalPdf')} />
          </Suspense>
        </LoadBoundary>
      )}
    </Sheet>
  );
}
