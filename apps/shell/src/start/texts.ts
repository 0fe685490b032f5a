import { visitorsLanguage } from '@karaar/i18n/languages';

/**
 * Asks for the texts of the shell together with its code. They are one file per language (the catalogs of the shell and
 * of the design system share a chunk name), so one import brings all; the app waits for them before it draws.
 */
export function fetchShellTexts(): void {
  // A failure is the app's to handle: it asks again, and in English if need be.
  import(/* webpackChunkName: "texts-[request]" */ `../layout/texts/${visitorsLanguage()}.json`).catch(
    () => undefined,
  );
}
