import { useTexts } from '@karaar/i18n';
import { useSyncExternalStore, type ReactNode } from 'react';
import { ToastPlace } from './feedback/toast.tsx';
import { uiTexts } from './texts.ts';
import { chooseTheme, currentTheme, onTheme, type Theme } from './theme-choice.ts';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/scripts.css';
import './theme/base.css';
import './theme/print.css';

/** Theme and toasts around an app. */
export function UiProvider({ children }: { children: ReactNode }) {
  const t = useTexts(uiTexts);
  return (
    <>
      <section aria-label={t('messages')}>
        <ToastPlace />
      </section>
      {children}
    </>
  );
}

/** Returns the present theme and a function to switch it; without a choice it follows the device. */
export function useTheme(): { theme: Theme; toggle: () => void } {
  const theme = useSyncExternalStore(onTheme, currentTheme);
  return { theme, toggle: () => chooseTheme(theme === 'dark' ? 'light' : 'dark') };
}
