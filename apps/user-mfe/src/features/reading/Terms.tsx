import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Facts, formatDate, formatDateTime, userName } from '@karaar/ui';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import css from './reading.module.css';

/** The terms that the creator entered; they are part of the approved content. */
export function Terms({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  return (
    <>
      <Facts
        entries={[
          [t('location'), document.location],
          [t('startDate'), formatDate(document.start_date)],
          [t('endDate'), formatDate(document.end_date)],
          [t('days'), t('dayCount', { days: document.duration_days })],
          [t('created'), formatDateTime(document.created_at)],
          [t('creator'), userName(document.primary_user_name)],
        ]}
      />
      {document.description && (
        <div className={css.block}>
          <h3>{t('description')}</h3>
          <p className={css.description} dir="auto">
            {document.description}
          </p>
        </div>
      )}
      {document.page_details.length > 0 && (
        <div className={css.block}>
          <h3>{t('pageDetails')}</h3>
          <ol className={css.details}>
            {document.page_details.map((page, index) => (
              <li key={index}>
                <span className={css.detailNo}>{t('page', { number: page.page_no })}</span>
                <span>{page.description}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}
