import { useTexts } from '@karaar/i18n';
import { useState, type ReactNode } from 'react';
import { Brand, Seal } from '../brand/Brand.tsx';
import { IconButton } from '../controls/Button.tsx';
import { Drawer } from '../feedback/Modal.tsx';
import { uiTexts } from '../texts.ts';
import { useTheme } from '../UiProvider.tsx';
import css from './frame.module.css';
import { LanguageMenu } from './LanguageMenu.tsx';

/** Switches between the light and the dark theme. */
export function ThemeSwitch() {
  const t = useTexts(uiTexts);
  const { theme, toggle } = useTheme();
  const dark = theme === 'dark';
  return (
    <IconButton icon={dark ? 'sun' : 'moon'} label={t(dark ? 'themeLight' : 'themeDark')} onClick={toggle} />
  );
}

type AppFrameProps = {
  /** The present location; the drawer closes when it changes. */
  place: string;
  /** The navigation; gets a function that closes the drawer. */
  nav: (close: () => void) => ReactNode;
  topBar: ReactNode;
  /** The tab bar of phones; see `BottomLink`. */
  tabs?: ReactNode;
  /** Wraps the brand in a link to the first screen. */
  homeLink: (brand: ReactNode, className: string) => ReactNode;
  children: ReactNode;
};

/** The frame of every signed-in screen: a fixed sidebar on desktop, a drawer on phones, a top bar. */
export function AppFrame({ place, nav, topBar, tabs, homeLink, children }: AppFrameProps) {
  const t = useTexts(uiTexts);
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const open = openedAt === place;
  const close = () => setOpenedAt(null);
  const panel = (
    <div className={css.panel}>
      {homeLink(<Brand />, css.brand ?? '')}
      {nav(close)}
      <div className={css.panelFoot}>
        <LanguageMenu />
      </div>
    </div>
  );
  return (
    <div className={css.frame}>
      <a className={css.skip} href="#content">
        {t('skip')}
      </a>
      <aside className={css.sidebar} aria-label={t('sidebar')}>
        {panel}
      </aside>
      <Drawer label={t('menu')} opened={open} onClose={close}>
        {panel}
      </Drawer>
      <header className={css.top}>
        <span className={css.burger}>
          <IconButton
            icon="menu"
            label={t('openMenu')}
            aria-expanded={open}
            onClick={() => setOpenedAt(place)}
          />
        </span>
        {topBar}
        <ThemeSwitch />
      </header>
      <main className={css.main} id="content" tabIndex={-1}>
        {children}
      </main>
      {tabs}
    </div>
  );
}

/**
 * The frame of the screens before sign-in: the brand and the form.
 * @param homeLink wraps the brand in a link to the welcome page
 * @param aside about the product, next to the form if there is room
 * @param foot links below the form
 * @param wide a page to read, not a form
 */
export function PublicFrame({
  homeLink,
  aside,
  foot,
  wide = false,
  children,
}: {
  homeLink?: (brand: ReactNode, className: string) => ReactNode;
  aside?: ReactNode;
  foot?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  const brand = <Brand size={40} />;
  return (
    <div className={css.public}>
      <header className={css.publicTop}>
        {homeLink ? homeLink(brand, css.publicHome ?? '') : brand}
        <span className={css.publicTools}>
          <LanguageMenu />
          <ThemeSwitch />
        </span>
      </header>
      <div className={css.publicBody}>
        {aside && (
          <aside className={css.publicAside}>
            <Seal size={520} className={css.watermark ?? ''} />
            {aside}
          </aside>
        )}
        <main className={css.publicMain} id="content" data-wide={wide || undefined}>
          {children}
          {foot && <div className={css.publicFoot}>{foot}</div>}
        </main>
      </div>
    </div>
  );
}
