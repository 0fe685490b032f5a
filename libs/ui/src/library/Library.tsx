import { createTheme, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { THEME_KEY } from '../theme-choice.ts';
import '../theme/mantine.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/Drawer.css';
import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import '../theme/mantine-overrides.css';

const theme = createTheme({ respectReducedMotion: true, cursorType: 'pointer' });
const colorScheme = localStorageColorSchemeManager({ key: THEME_KEY });

/**
 * Wraps one part of the component library. Only lazily loaded parts use it, each with this wrapper, so that
 * no page waits for the library. It injects no <style>: the variables are static CSS, so that pages can be
 * served with `style-src 'self'`.
 */
export function Library({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
}
