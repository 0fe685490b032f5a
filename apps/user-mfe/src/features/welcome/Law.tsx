import { call, toastText } from '@karaar/api-client';
import { cmsRoutes } from '@karaar/contracts/cms/http';
import { activeLanguage, useTexts } from '@karaar/i18n';
import { ErrorState, Sheet, Skeleton } from '@karaar/ui';
import { Article } from '@karaar/ui/article';
import { useQuery } from '@tanstack/react-query';
import { welcomeTexts } from './texts.ts';
import css from './welcome.module.css';

/** The operator's words about the law, which the certificate and the receipt show as well. */
export function Law() {
  const t = useTexts(welcomeTexts);
  const language = activeLanguage();
  const page = useQuery({
    queryKey: ['cms', 'public', 'law', language],
    queryFn: ({ signal }) =>
      call(cmsRoutes.getPublicPage, { params: { id: 'law' }, query: { language } }, { signal }),
  });
  if (page.isPending) return <Skeleton height={480} />;
  if (!page.data) {
    return (
      <ErrorState
        title={toastText(page.error, t('loadFailed'))}
        onRetry={() => void page.refetch()}
        retrying={page.isFetching}
      />
    );
  }
  return (
    <section className={css.part}>
      <h2 lang={page.data.language}>{page.data.title}</h2>
      <Sheet>
        <Article body={page.data.body} lang={page.data.language} />
      </Sheet>
    </section>
  );
}
