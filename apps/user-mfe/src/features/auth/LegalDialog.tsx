import { call, toastText } from '@karaar/api-client';
import { cmsRoutes } from '@karaar/contracts/cms/http';
import { activeLanguage, useTexts } from '@karaar/i18n';
import { ErrorState, Modal, Skeleton } from '@karaar/ui';
import { Article } from '@karaar/ui/article';
import { useQuery } from '@tanstack/react-query';
import { authTexts } from './texts.ts';

export type LegalSlug = 'terms' | 'privacy';

/** Shows the terms or the privacy policy to a reader without an account. */
export function LegalDialog({ slug, onClose }: { slug: LegalSlug | null; onClose: () => void }) {
  const t = useTexts(authTexts);
  return (
    <Modal title={slug ? t(slug) : ''} opened={slug !== null} onClose={onClose} width={640}>
      {slug && <LegalText slug={slug} />}
    </Modal>
  );
}

function LegalText({ slug }: { slug: LegalSlug }) {
  const t = useTexts(authTexts);
  const language = activeLanguage();
  const page = useQuery({
    queryKey: ['cms', 'public', slug, language],
    queryFn: ({ signal }) =>
      call(cmsRoutes.getPublicPage, { params: { id: slug }, query: { language } }, { signal }),
  });
  if (page.isPending) return <Skeleton height={240} />;
  if (!page.data) {
    return (
      <ErrorState
        title={toastText(page.error, t('legalFailed'))}
        onRetry={() => void page.refetch()}
        retrying={page.isFetching}
      />
    );
  }
  return <Article body={page.data.body} lang={page.data.language} />;
}
