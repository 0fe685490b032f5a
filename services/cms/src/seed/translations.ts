import { LAW_SLUG } from '@karaar/contracts/law-pages';
import type { Language } from '@karaar/contracts/limits';
import { bn } from './bn.ts';
import { hi } from './hi.ts';
import { mr } from './mr.ts';
import { SEED_PAGES, type PageText, type PageTexts } from './pages.ts';
import { ta } from './ta.ts';
import { te } from './te.ts';

const TRANSLATIONS: Partial<Record<Language, PageTexts>> = { hi, ta, bn, mr, te };

/**
 * Returns the translation of a page while the page still has its seed text. A page that an editor has
 * published keeps the editor's text, because the translation would say something else.
 */
export function inLanguage<Page extends PageText & { slug: string }>(
  page: Page,
  language: Language,
): Page & { language: Language } {
  const seed = SEED_PAGES.find(({ slug }) => slug === page.slug);
  const own = seed && seed.slug !== LAW_SLUG ? TRANSLATIONS[language]?.[seed.slug] : undefined;
  const stands = seed?.title === page.title && seed.content === page.content;
  return own && stands ? { ...page, ...own, language } : { ...page, language: 'en' };
}
