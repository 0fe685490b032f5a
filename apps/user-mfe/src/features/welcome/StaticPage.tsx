import { call } from '@karaar/api-client';
import { cmsRoutes } from '@karaar/contracts/cms/http';
import { activeLanguage, useTexts } from '@karaar/i18n';
import { formatDate, Page, PageSkeleton, Sheet } from '@karaar/ui';
import { Article } from '@karaar/ui/article';
import { useQuery } from '@tanstack/react-query';
import { useTitle } from '../../shared/useTitle.ts';
import { LoadFailed } from './LoadFailed.tsx';
import { welcomeTexts } from './texts.ts';

export type Slug = 'about' | 'contact' | 'terms' | 'privacy';

/** A static page from the CMS. */
export default function StaticPage({ slug }: { slug: Slug }) {
  const t = useTexts(welcomeTexts);
  const language = activeLanguage();
  const page = useQuery({
    queryKey: ['cms', slug, language],
    queryFn: ({ signal }) =>
      call(cmsRoutes.getPage, { params: { id: slug }, query: { language } }, { signal }),
    // The shell keeps it for offline readers.
    meta: { keep: true },
  });
  useTitle(page.data?.title ?? t(slug));
  if (page.isPending) return <PageSkeleton />;
  if (!page.data) return <LoadFailed page={page} />;
  return (
    <Page title={page.data.title} lead={t('updated', { date: formatDate(page.data.updated_at) })} narrow>
      <Sheet>
        <Article body={page.data.body} lang={page.data.language} />
      </Sheet>
    </Page>
  );
}
