import { useTexts } from '@karaar/i18n';
import { Link } from 'react-router';
import css from './promise.module.css';
import { layoutTexts } from './texts.ts';

/** Links from the screens before sign-in to the pages about Karaar. */
export function FrontLinks() {
  const t = useTexts(layoutTexts);
  return (
    <nav className={css.front} aria-label={t('help')}>
      <Link to="/welcome">{t('front')}</Link>
      <Link to="/verify">{t('verify')}</Link>
      <Link to="/welcome/help">{t('helpShort')}</Link>
      <Link to="/welcome/terms">{t('terms')}</Link>
      <Link to="/welcome/privacy">{t('privacy')}</Link>
    </nav>
  );
}
