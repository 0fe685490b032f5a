import { chooseLanguage, isLanguage, LANGUAGE_NAMES, LANGUAGES, useLanguage, useTexts } from '@karaar/i18n';
import { useId } from 'react';
import { Icon } from '../icons/Icon.tsx';
import { uiTexts } from '../texts.ts';
import css from './language.module.css';

/** The choice of the language, each by its own name; applies at once. */
export function LanguageMenu() {
  const t = useTexts(uiTexts);
  const language = useLanguage();
  const id = useId();
  return (
    <div className={css.menu}>
      <label htmlFor={id} className="k-hidden">
        {t('language')}
      </label>
      <Icon name="language" size={18} />
      <span className={css.name} lang={language} translate="no" aria-hidden="true">
        {LANGUAGE_NAMES[language]}
      </span>
      <Icon name="down" size={16} />
      <select
        id={id}
        className={css.select}
        value={language}
        // The names of languages are not translated.
        translate="no"
        onChange={({ target }) => {
          if (isLanguage(target.value)) void chooseLanguage(target.value);
        }}
      >
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={each}>
            {LANGUAGE_NAMES[each]}
          </option>
        ))}
      </select>
    </div>
  );
}
