/** Texts in the reader's language. One copy in the page: shell and remotes share it. */
export { isLanguage, LANGUAGE_NAMES, LANGUAGES, localeOf, type Language } from './languages.ts';
export { adoptLanguage, choiceOnThisPage, chooseLanguage, startLanguage } from './page.ts';
export { preloadOf, reloadFailed, screen, useLanguage, useTexts } from './react.ts';
export { screensOf, type ScreenFile } from './screens.ts';
export { activeLanguage, activeLocale, onLanguage, type Values } from './store.ts';
export { defineTexts, type KeyOf, type Message, type Say, type Texts } from './texts.ts';
