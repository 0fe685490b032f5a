import { LAW_SLUG, languageOfPage, lawSlug } from '@karaar/contracts/law-pages';
import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { LAW_TRANSLATIONS, SEED_PAGES } from '../../seed/pages.ts';
import { inLanguage } from '../../seed/translations.ts';
import { pageNotFound } from './pages.errors.ts';
import { findPage, findPages, insertMissingPage, listPages, type PageRow } from './pages.repository.ts';

export type { PageRow };

const BY_NOBODY = { author: { id: null, name: '' }, note: '' };

export type ReadPage = PageRow & { language: Language };

const isInEnglish = (slug: string): boolean => languageOfPage(slug) === 'en';

/** Returns all pages in English. */
export const allPages = async (ctx: Context): Promise<PageRow[]> =>
  (await listPages(ctx.db)).filter(({ slug }) => isInEnglish(slug));

/** Returns a page in a language that it has, else in English. Throws 404 for an unknown slug. */
export async function getPage(ctx: Context, slug: string, language: Language = 'en'): Promise<ReadPage> {
  const page = isInEnglish(slug) ? await findPage(ctx.db, slug) : undefined;
  if (!page) throw pageNotFound();
  const law = slug === LAW_SLUG ? await findPage(ctx.db, lawSlug(language)) : undefined;
  return law ? { ...law, slug, language } : inLanguage(page, language);
}

/** Returns the operator's words about the law, in each language that has them. */
export const lawPages = async (ctx: Context): Promise<ReadPage[]> =>
  (await findPages(ctx.db, LANGUAGES.map(lawSlug))).map((page) => ({
    ...page,
    language: languageOfPage(page.slug),
  }));

/** Inserts the seeded pages that are missing, and leaves existing pages alone. */
export async function seedPages(ctx: Context): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    for (const page of [...SEED_PAGES, ...LAW_TRANSLATIONS]) await insertMissingPage(tx, page, BY_NOBODY);
  });
}
