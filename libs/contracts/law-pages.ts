/** The pages of the CMS that hold the words about the law, one for each language. */
import { LANGUAGES, type Language } from './limits.ts';

export const LAW_SLUG = 'law';

/** Returns the slug of the page with the words in a language. */
export const lawSlug = (language: Language): string =>
  language === 'en' ? LAW_SLUG : `${LAW_SLUG}-${language}`;

/** Returns the language of a page: English for every page that is not the law in another language. */
export const languageOfPage = (slug: string): Language =>
  LANGUAGES.find((language) => lawSlug(language) === slug) ?? 'en';
