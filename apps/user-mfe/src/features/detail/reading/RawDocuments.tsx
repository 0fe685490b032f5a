import type { RawFile } from '@karaar/contracts/documents/http';
import { screen, useTexts } from '@karaar/i18n';
import { Button, fileSize, Sheet, Skeleton, LoadBoundary } from '@karaar/ui';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { Unreadable } from '../../reading/Unreadable.tsx';
import css from '../detail.module.css';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

const PdfView = screen(() => import('./PdfView.tsx'), []);

type RawDocumentsProps = {
  files: readonly RawFile[];
  /** True if their pages are above, so that a preview is already on the page. */
  inPages: boolean;
};

/** The uploaded files, opened in a new tab or previewed here. The address holds the previewed file. */
export default function RawDocuments({ files, inPages }: RawDocumentsProps) {
  const t = useTexts(detailTexts);
  const [search, setSearch] = useSearchParams();
  const shown = search.get('file');
  const show = (id: string | null) =>
    setSearch(
      (now) => {
        if (id) now.set('file', id);
        else now.delete('file');
        return now;
      },
      { preventScrollReset: true },
    );
  return (
    <Sheet title={t('rawDocuments')}>
      <ul className={css.files}>
        {files.map((file) => (
          <li key={file.file_id}>
            <div className={css.file}>
              <span className={css.thumbnail} aria-hidden="true">
                <img src={file.thumbnail} alt="" loading="lazy" />
              </span>
              <div className={css.fileText}>
                <span className={css.fileName}>{file.name}</span>
                <span className="k-muted k-small k-num">
                  {`${t('pageCount', { pages: file.pages })} · ${fileSize(file.size)}`}
                </span>
              </div>
              <Button
                compact
                variant="quiet"
                aria-label={t('previewOf', { name: file.name })}
                {...(inPages ? {} : { 'aria-expanded': shown === file.file_id })}
                onClick={() =>
                  inPages ? goTo(file.file_id) : show(shown === file.file_id ? null : file.file_id)
                }
              >
                {t('preview')}
              </Button>
              <Button
                as="a"
                compact
                icon="external"
                href={file.path}
                target="_blank"
                rel="noopener"
                aria-label={t('openInTab', { name: file.name })}
              >
                {t('open')}
              </Button>
            </div>
            {!inPages && shown === file.file_id && <Preview file={file} />}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

/** Scrolls to the file's pages above, and moves the focus there. */
function goTo(fileId: string): void {
  const place = window.document.getElementById(`file-${fileId}`);
  place?.scrollIntoView({ block: 'start' });
  place?.focus({ preventScroll: true });
}

function Preview({ file }: { file: RawFile }) {
  return (
    <LoadBoundary broken={<Unreadable source={file.preview} name={file.name} />}>
      <Suspense fallback={<Skeleton height={420} />}>
        <PdfView source={file.preview} label={file.name} />
      </Suspense>
    </LoadBoundary>
  );
}
