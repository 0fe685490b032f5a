import { LANGUAGE_KEY, type Language } from './languages.ts';
import { speak } from './store.ts';

/** Says in which language the page is: screen readers choose a voice by it, browsers a font. */
function markPage(language: Language): void {
  document.documentElement.lang = language;
}

/** Starts the page in a language, before anything is drawn. */
export async function startLanguage(language: Language): Promise<void> {
  await speak(language);
  markPage(language);
}

/** The user's own choice: at once on this page, and for the next visits. */
export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language);
  markPage(language);
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch (error) {
    // Storage is full or blocked: the choice then holds for this page only.
    reportError(error);
  }
}
