import { LANGUAGE_KEY, type Language } from './languages.ts';
import { speak } from './store.ts';

/** Sets the page's language: screen readers choose a voice by it, browsers a font. */
function markPage(language: Language): void {
  document.documentElement.lang = language;
}

/** Starts the page in a language, before the first render. */
export async function startLanguage(language: Language): Promise<void> {
  await speak(language);
  markPage(language);
}

/** The user's choice since this page was loaded. */
let choice: Language | null = null;
/**
 * Returns null if the user has not chosen since this page was loaded, even if an earlier choice is stored.
 */
export const choiceOnThisPage = (): Language | null => choice;

/** Changes the language of this page and of later visits, but does not count as the user's choice. */
export async function adoptLanguage(language: Language): Promise<void> {
  await speak(language);
  markPage(language);
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch (error) {
    // Storage is full or blocked: the language applies to this page only.
    reportError(error);
  }
}

/** Changes the language as the user's choice. */
export function chooseLanguage(language: Language): Promise<void> {
  choice = language;
  return adoptLanguage(language);
}
