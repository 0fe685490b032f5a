import { toastText } from '@karaar/api-client';
import type { RawFile } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { ErrorState, Skeleton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { fileTextQuery } from '../../shared/queries.ts';
import { verificationTexts } from '../verification/texts.ts';
import css from './reading.module.css';

/** The text of a file, page by page, in the reader's font size: for small screens and screen readers. */
export function PlainText({ documentId, file }: { documentId: string; file: RawFile }) {
  const t = useTexts(verificationTexts);
  const text = useQuery(fileTextQuery(documentId, file.file_id));
  if (text.isPending) return <Skeleton lines={6} />;
  if (text.isError)
    return (
      <ErrorState
        title={toastText(text.error, t('textFailed'))}
        onRetry={() => void text.refetch()}
        retrying={text.isFetching}
      />
    );
  const { pages } = text.data;
  if (pages.length === 0) return <p className={css.none}>{t('noPages')}</p>;
  return (
    <div className={css.plain}>
      <p className={css.pictures}>{t('textOnlyNote')}</p>
      {pages.map((page, index) => (
        <article key={index}>
          <h3>{t('pageOf', { page: index + 1, total: pages.length })}</h3>
          {page === null ? (
            <p>{t('noPageText')}</p>
          ) : (
            page.split(/\n\s*\n/).map((paragraph, at) => (
              <p key={at} dir="auto" translate="no">
                {paragraph}
              </p>
            ))
          )}
        </article>
      ))}
    </div>
  );
}
