import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Icon, TextButton, userName } from '@karaar/ui';
import { useState, type ReactNode } from 'react';
import { FileNotes, PageNotes } from './PageNotes.tsx';
import { PdfReader } from './PdfReader.tsx';
import { PlainText } from './PlainText.tsx';
import css from './reading.module.css';
import { verificationTexts } from '../verification/texts.ts';

type ReadingProps = {
  document: Pick<Document, 'document_id' | 'name' | 'primary_user_name' | 'raw_files'>;
  /** Shown above the pages, for example the terms if the page does not show them. */
  before?: ReactNode;
  /** In a dialog the pages scroll separately, so that the following content stays in view. */
  framed?: boolean;
};

/** Page widths as fractions of the available width: on a phone a printed page is small. */
const SIZES = [1, 1.5, 2.25, 3] as const;

/** All pages of an agreement in one scroll, or only their text, to read before an approval. */
export function Reading({ document, before, framed = false }: ReadingProps) {
  const t = useTexts(verificationTexts);
  const [size, setSize] = useState(0);
  const [asText, setAsText] = useState(false);
  const zoom = SIZES[size] ?? 1;
  return (
    <div className={css.reading}>
      <div className={css.tools}>
        <TextButton onClick={() => setAsText(!asText)} aria-pressed={asText}>
          {t('textOnly')}
        </TextButton>
        <span className={css.sizes}>
          <TextButton onClick={() => setSize(size - 1)} disabled={asText || size === 0}>
            {t('smaller')}
          </TextButton>
          <TextButton onClick={() => setSize(size + 1)} disabled={asText || size === SIZES.length - 1}>
            {t('larger')}
          </TextButton>
        </span>
      </div>
      <div
        className={framed ? css.frame : css.roll}
        role="region"
        aria-label={t('pagesOf', { name: document.name })}
        // A scroll area must be reachable by keyboard.
        tabIndex={0}
        data-reading
        data-framed={framed || undefined}
      >
        {before}
        {document.raw_files.map((file) => (
          <section
            key={file.file_id}
            id={`file-${file.file_id}`}
            tabIndex={-1}
            className={css.file}
            aria-label={file.name}
          >
            <header className={css.fileHead}>
              <Icon name="document" size={18} />
              <span className={css.fileName} translate="no">
                {file.name}
              </span>
              <span className="k-muted k-small k-num">{t('pageCount', { pages: file.pages })}</span>
              <a className={css.fileLink} href={file.path} target="_blank" rel="noopener">
                <span>{t('openInTab')}</span>
                <span className="k-hidden">{file.name}</span>
              </a>
            </header>
            <FileNotes file={file} creator={userName(document.primary_user_name)} />
            {asText ? (
              <PlainText documentId={document.document_id} file={file} />
            ) : (
              <PdfReader
                source={file.preview}
                name={file.name}
                count={file.pages}
                zoom={zoom}
                below={(page) => <PageNotes documentId={document.document_id} file={file} page={page} />}
              />
            )}
          </section>
        ))}
      </div>
    </div>
  );
}
