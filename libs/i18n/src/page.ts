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

/** What the user chose since this page was loaded. */
let choice: Language | null = null;
export const choiceOnThisPage = (): Language | null => choice;

/** Changes the language at once on this page and keeps it for the next visits; not as the user's own choice. */
export async function adoptLanguage(language: Language): Promise<void> {
  await speak(language);
  markPage(language);
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch (error) {
    // Storage is full or blocked: the language then holds for this page only.
    reportError(error);
  }
}

/** The user's own choice. */
export function chooseLanguage(language: Language): Promise<void> {
  choice = language;
  return adoptLanguage(language);
}
