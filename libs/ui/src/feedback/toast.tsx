import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icons/Icon.tsx';
import { uiTexts } from '../texts.ts';
import css from './feedback.module.css';
import { toastDuration, type ToastKind } from './toast-rules.ts';

const icons: Record<ToastKind, IconName> = { error: 'alert', success: 'check', info: 'info' };

function show(kind: ToastKind, message: ReactNode, durationMs = toastDuration(kind)): void {
  notifications.show({
    message,
    autoClose: durationMs,
    icon: <Icon name={icons[kind]} className={css[kind]} />,
    closeButtonProps: { 'aria-label': uiTexts.say('dismiss') },
  });
}

/** Short messages at the edge of the page. The duration is the kind's own (spec §9) unless given. */
export const toast = {
  error: (message: ReactNode) => show('error', message),
  success: (message: ReactNode) => show('success', message),
  info: (message: ReactNode, durationMs?: number) => show('info', message, durationMs),
};
