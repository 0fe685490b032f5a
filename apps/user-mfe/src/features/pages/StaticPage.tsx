import { call, toastText } from '@karaar/api-client';
import { cmsRoutes } from '@karaar/contracts/cms/http';
import { useTexts } from '@karaar/i18n';
import { ErrorState, formatDate, Page, PageSkeleton, Sheet } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useTitle } from '../../shared/useTitle.ts';
import { parseMarkdown, type Block, type Inline } from './markdown.ts';
import css from './pages.module.css';
import { pageTexts } from './texts.ts';

export type Slug = 'about' | 'contact' | 'terms' | 'privacy';

/** A static page that is kept in the CMS. */
export default function StaticPage({ slug }: { slug: Slug }) {
  const t = useTexts(pageTexts);
  const page = useQuery({
    queryKey: ['cms', slug],
    queryFn: ({ signal }) => call(cmsRoutes.getPage, { params: { id: slug } }, { signal }),
    // The shell keeps it for readers without a network.
    meta: { keep: true },
  });
  useTitle(t(slug));
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
  return (
    <Page title={t(slug)} lead={t('updated', { date: formatDate(page.data.updated_at) })} narrow>
      <Sheet>
        <article className={css.article} lang="en">
          {parseMarkdown(page.data.content).map((block, index) => (
            <BlockView key={index} block={block} />
          ))}
        </article>
      </Sheet>
    </Page>
  );
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'heading') {
    const Heading = block.level === 2 ? 'h2' : 'h3';
    return (
      <Heading>
        <Line parts={block.content} />
      </Heading>
    );
  }
  if (block.kind === 'paragraph') {
    return (
      <p>
        <Line parts={block.content} />
      </p>
    );
  }
  const List = block.ordered ? 'ol' : 'ul';
  return (
    <List>
      {block.items.map((item, index) => (
        <li key={index}>
          <Line parts={item} />
        </li>
      ))}
    </List>
  );
}

function Line({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => {
    if (part.kind === 'strong') return <strong key={index}>{part.text}</strong>;
    if (part.kind === 'em') return <em key={index}>{part.text}</em>;
    if (part.kind === 'link') {
      return (
        <a key={index} href={part.href} rel="noopener">
          {part.text}
        </a>
      );
    }
    return part.text;
  });
}
