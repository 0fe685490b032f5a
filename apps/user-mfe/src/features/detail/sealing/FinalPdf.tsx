import { toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, openFile, Row, Seal, Sheet, toast } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PagesPlace } from '../../reading/PagesPlace.tsx';
import { PdfReader } from '../../reading/PdfReader.tsx';
import { ReceiptButton } from '../../verify/ReceiptButton.tsx';
import css from '../detail.module.css';
import { finalPdfQuery } from './final-pdf.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type FinalPdfProps = {
  document: Document;
  /** True if the document was sealed while this page was open. */
  impressed: boolean;
  /** The buttons that save, share and verify, if they are not in the bar of the next step. */
  keeping: ReactNode;
};

/** The sealed PDF, shown here or opened in a tab. */
export default function FinalPdf({ document, impressed, keeping }: FinalPdfProps) {
  const t = useTexts(detailTexts);
  const pdf = useQuery(finalPdfQuery(document.document_id));
  const open = () => {
    if (!pdf.data) return toast.error(toastText(pdf.error, t('finalPdfFailed')));
    openFile(pdf.data);
  };
  return (
    <Sheet
      title={
        <span className={css.sealedTitle}>
          <span className={css.impression} data-fresh={impressed || undefined}>
            <Seal size={40} />
          </span>
          <span>{t('finalPdf')}</span>
        </span>
      }
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
      {keeping && <div className={css.keeping}>{keeping}</div>}
      {pdf.isPending && <PagesPlace />}
      {pdf.isError && (
        <ErrorState
          title={toastText(pdf.error, t('finalPdfFailed'))}
          onRetry={() => void pdf.refetch()}
          retrying={pdf.isFetching}
        />
      )}
      {pdf.data && (
        <div className={css.finalPages} role="group" aria-label={t('finalPdf')}>
          <PdfReader source={pdf.data} name={t('finalPdf')} zoom={1} />
        </div>
      )}
    </Sheet>
  );
}
