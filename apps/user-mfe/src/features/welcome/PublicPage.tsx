import { useTexts } from '@karaar/i18n';
import { formatDate, Page, PageSkeleton, Sheet, Stack } from '@karaar/ui';
import { Article } from '@karaar/ui/article';
import { useTitle } from '../../shared/useTitle.ts';
import { LoadFailed } from './LoadFailed.tsx';
import { welcomeTexts } from './texts.ts';
import { usePublicPage } from './usePublicPage.ts';
import type { Slug } from './StaticPage.tsx';
import { MoreLinks } from './MoreLinks.tsx';

/** A page of the CMS for readers without an account. */
export default function PublicPage({ slug }: { slug: Slug }) {
  const t = useTexts(welcomeTexts);
  const page = usePublicPage(slug);
  useTitle(page.data?.title ?? t(slug));
  if (page.isPending) return <PageSkeleton />;
  if (!page.data) return <LoadFailed page={page} />;
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
