import { Sheet, Skeleton } from '@karaar/ui';
import { Article } from '@karaar/ui/article';
import { LoadFailed } from './LoadFailed.tsx';
import { usePublicPage } from './usePublicPage.ts';
import css from './welcome.module.css';

/** The operator's words about the law, which the certificate and the receipt show as well. */
export function Law() {
  const page = usePublicPage('law');
  if (page.isPending) return <Skeleton height={480} />;
  if (!page.data) return <LoadFailed page={page} />;
  return (
    <section className={css.part}>
      <h2 lang={page.data.language}>{page.data.title}</h2>
      <Sheet>
        <Article body={page.data.body} lang={page.data.language} />
      </Sheet>
    </section>
  );
}
