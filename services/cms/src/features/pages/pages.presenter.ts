import type { Language } from '@karaar/contracts/limits';
import { readArticle } from '../article/read-article.ts';
import type { PageRow } from './pages.repository.ts';

export const presentPage = (page: PageRow & { language?: Language }) => ({
  slug: page.slug,
  title: page.title,
  content: page.content,
  body: readArticle(page.content),
  language: page.language ?? 'en',
  version: page.version,
  updated_at: page.updated_at.toISOString(),
});
