import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { ErrorState, PageSkeleton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { EditorForm } from './EditorForm.tsx';
import { pageQuery, type Slug } from './pages.ts';
import { cmsTexts } from './texts.ts';

/** The editor of one static page. */
export default function CmsEditor({ slug }: { slug: Slug }) {
  const t = useTexts(cmsTexts);
  const page = useQuery(pageQuery(slug));
  if (page.data) return <EditorForm key={slug} loaded={page.data} />;
  return (
    <AdminPage title={t(slug)}>
      {page.isPending && <PageSkeleton />}
      {page.isError && (
        <ErrorState
          title={toastText(page.error, t('loadFailed'))}
          onRetry={() => void page.refetch()}
          retrying={page.isFetching}
        />
      )}
    </AdminPage>
  );
}
