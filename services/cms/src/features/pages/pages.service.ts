/** Reading static pages. */
import { notFound } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { SEED_PAGES } from '../../seed/pages.ts';
import { findPage, insertMissingPage, listPages, type PageRow } from './pages.repository.ts';

export type { PageRow };

/** Readable before an account exists: the register screen links to them. */
const PUBLIC_SLUGS: readonly string[] = ['terms', 'privacy'];

const pageNotFound = () => notFound('page_not_found', 'This page does not exist.');

export const allPages = (ctx: Context): Promise<PageRow[]> => listPages(ctx.db);

/** Throws 404 for an unknown slug. */
export async function getPage(ctx: Context, slug: string): Promise<PageRow> {
  const page = await findPage(ctx.db, slug);
  if (!page) throw pageNotFound();
  return page;
}

/** Throws 404 for an unknown slug and for a page that needs a login. */
export async function getPublicPage(ctx: Context, slug: string): Promise<PageRow> {
  if (!PUBLIC_SLUGS.includes(slug)) throw pageNotFound();
  return getPage(ctx, slug);
}

/** Puts the four pages in place at the first start. */
export async function seedPages(ctx: Context): Promise<void> {
  for (const page of SEED_PAGES) await insertMissingPage(ctx.db, page);
}
