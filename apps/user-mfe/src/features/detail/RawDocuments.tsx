import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, fileSize, Icon, Sheet, Skeleton } from '@karaar/ui';
import { lazy, Suspense, useState } from 'react';
import css from './detail.module.css';
import { detailTexts } from './texts.ts';

const PdfView = lazy(() => import('./PdfView.tsx'));

type RawFile = Document['raw_files'][number];

/** The uploaded files: open in a new tab, or look at them here. */
export function RawDocuments({ files }: { files: readonly RawFile[] }) {
  const t = useTexts(detailTexts);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Sheet title={t('rawDocuments')}>
      <ul className={css.files}>
        {files.map((file) => (
          <li key={file.sha256 + file.path}>
            <div className={css.file}>
              <Icon name="document" size={22} />
              <div className={css.fileText}>
                <span className={css.fileName}>{file.name}</span>
                <span className="k-muted k-small k-num">{fileSize(file.size)}</span>
              </div>
              <Button
                compact
                variant="quiet"
                aria-label={t('previewOf', { name: file.name })}
                aria-expanded={shown === file.sha256}
                onClick={() => setShown(shown === file.sha256 ? null : file.sha256)}
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
            {shown === file.sha256 && <Preview file={file} />}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function Preview({ file }: { file: RawFile }) {
  const t = useTexts(detailTexts);
  if (file.mime.startsWith('image/'))
    return <img className={css.previewImage} src={file.path} alt={file.name} />;
  if (file.mime !== 'application/pdf') return <p className={css.noPreview}>{t('noPreview')}</p>;
  return (
    <Suspense fallback={<Skeleton height={420} />}>
      <PdfView source={file.path} label={file.name} />
    </Suspense>
  );
}
