import { call, toastText } from '@karaar/api-client';
import { SEALED_ZIP_MAX_DOCUMENTS, sealedZipRoutes } from '@karaar/contracts/documents/sealed-zip';
import { useTexts } from '@karaar/i18n';
import { Banner, Button, saveFile } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import css from './dashboard.module.css';

/** The number of selected documents, and the download of their sealed PDFs. */
export function SelectionBar({ ids }: { ids: readonly string[] }) {
  const t = useTexts(dashboardTexts);
  const taking = useMutation({
    mutationFn: () => call(sealedZipRoutes.sealedZip, { body: { document_ids: [...ids] } }),
    onSuccess: (zip) => saveFile(zip, 'karaar-documents.zip'),
  });
  return (
    <div className={css.selection}>
      <p className="k-muted k-small">{t('zipNote', { max: SEALED_ZIP_MAX_DOCUMENTS })}</p>
      <div className={css.selectionLine}>
        <p role="status">{t('selected', { count: ids.length })}</p>
        <Button
          variant="primary"
          icon="download"
          compact
          disabled={ids.length === 0}
          loading={taking.isPending}
          onClick={() => taking.mutate()}
        >
          {t('zipDownload')}
        </Button>
      </div>
      {taking.isError && (
        <div role="alert">
          <Banner tone="rejected">{toastText(taking.error, t('zipFailed'))}</Banner>
        </div>
      )}
    </div>
  );
}
