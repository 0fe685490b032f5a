import type { PageRow } from './pages.repository.ts';

export const presentPage = (page: PageRow) => ({
  slug: page.slug,
  title: page.title,
  content: page.content,
  updated_at: page.updated_at.toISOString(),
});
