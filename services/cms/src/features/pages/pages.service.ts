import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { SEED_PAGES } from '../../seed/pages.ts';
import { pageNotFound } from './pages.errors.ts';
import { findPage, insertMissingPage, listPages, type PageRow } from './pages.repository.ts';

export type { PageRow };

const BY_NOBODY = { author: { id: null, name: '' }, note: '' };

export const allPages = (ctx: Context): Promise<PageRow[]> => listPages(ctx.db);

/** Returns a page. Throws 404 for an unknown slug. */
export async function getPage(ctx: Context, slug: string): Promise<PageRow> {
  const page = await findPage(ctx.db, slug);
  if (!page) throw pageNotFound();
  return page;
}

/** Inserts the seeded pages that are missing, and leaves existing pages alone. */
export async function seedPages(ctx: Context): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    for (const page of SEED_PAGES) await insertMissingPage(tx, page, BY_NOBODY);
  });
}
