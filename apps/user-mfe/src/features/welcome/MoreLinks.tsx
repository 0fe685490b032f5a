import { useTexts } from '@karaar/i18n';
import { Link, useLocation } from 'react-router';
import { welcomeTexts } from './texts.ts';
import css from './welcome.module.css';

const LINKS = [
  ['/welcome', 'welcome'],
  ['/welcome/help', 'help'],
  ['/welcome/about', 'about'],
  ['/welcome/contact', 'contact'],
  ['/welcome/terms', 'terms'],
  ['/welcome/privacy', 'privacy'],
  ['/verify', 'verify'],
] as const;

/** Links from each public page to the others. */
export function MoreLinks() {
  const t = useTexts(welcomeTexts);
  const { pathname } = useLocation();
  return (
    <nav className={css.more} aria-label={t('more')}>
      {LINKS.map(([to, label]) => (
        <Link key={to} to={to} aria-current={to === pathname ? 'page' : undefined}>
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}
