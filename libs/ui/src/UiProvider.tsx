import {
  MantineProvider,
  createTheme,
  localStorageColorSchemeManager,
  useMantineColorScheme,
  useComputedColorScheme,
} from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useTexts } from '@karaar/i18n';
import type { ReactNode } from 'react';
import { TOASTS_AT_ONCE } from './feedback/toast-rules.ts';
import { uiTexts } from './texts.ts';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/mantine.css';
import './theme/base.css';
import './theme/scripts.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/Drawer.css';
import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import './theme/mantine-overrides.css';

const theme = createTheme({ respectReducedMotion: true, cursorType: 'pointer' });
const colorScheme = localStorageColorSchemeManager({ key: 'theme' });

/**
 * Theme and toasts around an app. Nothing is injected as <style>: the variables are static CSS, so that pages can
 * be served with `style-src 'self'`.
 */
export function UiProvider({ children }: { children: ReactNode }) {
  const t = useTexts(uiTexts);
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <section aria-label={t('messages')}>
        <Notifications
          limit={TOASTS_AT_ONCE}
          position="top-right"
          containerWidth={420}
          zIndex={1000}
          withinPortal={false}
        />
      </section>
      {children}
    </MantineProvider>
  );
}

/** The theme in force and a way to change it; without a choice it follows the device. */
export function useTheme(): { theme: 'light' | 'dark'; toggle: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const theme = useComputedColorScheme('light');
  return { theme, toggle: () => setColorScheme(theme === 'dark' ? 'light' : 'dark') };
}
