import { toastText } from '@karaar/api-client';
import { languageOfPage, LAW_SLUG } from '@karaar/contracts/law-pages';
import { useTexts } from '@karaar/i18n';
import { Badge, ErrorState, formatDateTime, Icon, Sheet } from '@karaar/ui';
import { ListSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { AdminPage } from '../../shared/AdminPage.tsx';
import css from './cms.module.css';
import { pagesQuery, SLUGS } from './pages.ts';
import { cmsTexts } from './texts.ts';

/** Returns true for the page itself, and for the law in another language. */
const isOf = (page: string, slug: string): boolean =>
  slug === page || (page === LAW_SLUG && languageOfPage(slug) !== 'en');

/** The static pages, each with a link to its editor. */
export default function CmsPages() {
  const t = useTexts(cmsTexts);
  const pages = useQuery(pagesQuery);
  return (
    <AdminPage title={t('title')} lead={t('lead')} narrow>
      {pages.isPending && <ListSkeleton label={t('title')} />}
      {pages.isError && (
        <ErrorState
          title={toastText(pages.error, t('loadFailed'))}
          onRetry={() => void pages.refetch()}
          retrying={pages.isFetching}
        />
      )}
      {pages.data && (
        <Sheet flush>
          <ul className={css.pages}>
            {SLUGS.flatMap((slug) => pages.data.filter((page) => page.slug === slug)).map((page) => (
              <li key={page.slug}>
                <Link to={`/admin/cms/${page.slug}`} className={css.page}>
                  <span className={css.pageText}>
                    <span className={css.pageTitle} lang="en">
                      {page.title}
                    </span>
                    <span className={css.note}>
                      {t('versionOf', { version: page.version, date: formatDateTime(page.updated_at) })}
                    </span>
                  </span>
                  {pages.data.some(({ slug, draft }) => draft && isOf(page.slug, slug)) && (
                    <Badge tone="waiting">{t('draft')}</Badge>
                  )}
                  <Icon name="arrowRight" size={18} />
                </Link>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </AdminPage>
  );
}
