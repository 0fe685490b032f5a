import { useTexts } from '@karaar/i18n';
import { useState, type ReactNode } from 'react';
import { Brand, Seal } from '../brand/Brand.tsx';
import { IconButton } from '../controls/Button.tsx';
import { Drawer } from '../feedback/Modal.tsx';
import { uiTexts } from '../texts.ts';
import { useTheme } from '../UiProvider.tsx';
import css from './frame.module.css';
import { LanguageMenu } from './LanguageMenu.tsx';

/** Switches between paper and night paper. */
export function ThemeSwitch() {
  const t = useTexts(uiTexts);
  const { theme, toggle } = useTheme();
  const dark = theme === 'dark';
  return (
    <IconButton icon={dark ? 'sun' : 'moon'} label={t(dark ? 'themeLight' : 'themeDark')} onClick={toggle} />
  );
}

type AppFrameProps = {
  /** The navigation; gets a function that closes the drawer after a choice. */
  nav: (close: () => void) => ReactNode;
  topBar: ReactNode;
  /** Wraps the brand in a link to the first screen. */
  homeLink: (brand: ReactNode, className: string) => ReactNode;
  children: ReactNode;
};

/** The frame of every signed-in screen: a fixed sidebar on desktop, a drawer on phones, a top bar. */
export function AppFrame({ nav, topBar, homeLink, children }: AppFrameProps) {
  const t = useTexts(uiTexts);
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
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
          <IconButton icon="menu" label={t('openMenu')} aria-expanded={open} onClick={() => setOpen(true)} />
        </span>
        {topBar}
        <ThemeSwitch />
      </header>
      <main className={css.main} id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/**
 * The frame of the screens before sign-in: the brand and the form.
 * @param aside what this is about, beside the form where there is room
 */
export function PublicFrame({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.public}>
      <header className={css.publicTop}>
        <Brand size={40} />
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
        <main className={css.publicMain} id="content">
          {children}
        </main>
      </div>
    </div>
  );
}
