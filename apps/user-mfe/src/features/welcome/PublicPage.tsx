import { call, toastText } from '@karaar/api-client';
import { cmsRoutes } from '@karaar/contracts/cms/http';
import { activeLanguage, useTexts } from '@karaar/i18n';
import { ErrorState, formatDate, Page, PageSkeleton, Sheet, Stack } from '@karaar/ui';
import { Article } from '@karaar/ui/article';
import { useQuery } from '@tanstack/react-query';
import { useTitle } from '../../shared/useTitle.ts';
import { welcomeTexts } from './texts.ts';
import type { Slug } from './StaticPage.tsx';
import { MoreLinks } from './MoreLinks.tsx';

/** A page of the CMS for readers without an account. */
export default function PublicPage({ slug }: { slug: Slug }) {
  const t = useTexts(welcomeTexts);
  const language = activeLanguage();
  const page = useQuery({
    queryKey: ['cms', 'public', slug, language],
    queryFn: ({ signal }) =>
      call(cmsRoutes.getPublicPage, { params: { id: slug }, query: { language } }, { signal }),
  });
  useTitle(page.data?.title ?? t(slug));
  if (page.isPending) return <PageSkeleton />;
  if (!page.data) {
    return (
      <ErrorState
        title={toastText(page.error, t('loadFailed'))}
        onRetry={() => void page.refetch()}
        retrying={page.isFetching}
      />
    );
  }
  const { title, body, updated_at, language: written } = page.data;
  return (
    <Page title={title} lead={t('updated', { date: formatDate(updated_at) })} narrow>
      <Stack gap={2}>
        <Sheet>
          <Article body={body} lang={written} />
        </Sheet>
        <MoreLinks />
      </Stack>
    </Page>
  );
}
