import { screen } from '@karaar/i18n';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { Icon, type IconName } from '../icons/Icon.tsx';
import { uiTexts } from '../texts.ts';
import css from './feedback.module.css';
import { LoadBoundary } from './LoadBoundary.tsx';
import { toastDuration, type ToastKind } from '../library/toast-rules.ts';

const icons: Record<ToastKind, IconName> = { error: 'alert', success: 'check', info: 'info' };

const load = () => import('../library/Toasts.tsx');
const Toasts = screen(load, []);

/** Called on the first toast, whose code is not loaded before. */
let onToast: (() => void) | null = null;
let wanted = false;

async function show(kind: ToastKind, message: ReactNode, durationMs = toastDuration(kind)): Promise<void> {
  wanted = true;
  onToast?.();
  const { showToast } = await load();
  showToast({
    // A toast with the id of a visible one is not shown again.
    ...(typeof message === 'string' ? { id: `${kind} ${message}` } : {}),
    message,
    autoClose: durationMs,
    icon: <Icon name={icons[kind]} className={css[kind]} />,
    closeButtonProps: { 'aria-label': uiTexts.say('dismiss') },
  });
}

const say = (...args: Parameters<typeof show>): void => void show(...args).catch(reportError);

/** Shows short messages at the edge of the page. The duration depends on the kind (spec §9) by default. */
export const toast = {
  error: (message: ReactNode) => say('error', message),
  success: (message: ReactNode) => say('success', message),
  info: (message: ReactNode, durationMs?: number) => say('info', message, durationMs),
};

/** The place of toasts. Their code loads with the first touch of the page. */
export function ToastPlace() {
  const [shown, setShown] = useState(wanted);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    onToast = () => {
      setShown(true);
      // Renders again only if the code is missing.
      if (Toasts.hasFailed()) void Toasts.preload().then(() => setTries((count) => count + 1), reportError);
    };
    // A failed load is retried with the toast.
    const early = () => void load().catch(() => undefined);
    const once = { once: true, passive: true };
    window.addEventListener('pointerdown', early, once);
    window.addEventListener('keydown', early, once);
    return () => {
      onToast = null;
      window.removeEventListener('pointerdown', early);
      window.removeEventListener('keydown', early);
    };
  }, []);
  // A toast that fails must not affect the page; the next one loads the code again.
  return (
    <LoadBoundary resetKey={tries} missing={() => null}>
      <Suspense>{shown && <Toasts />}</Suspense>
    </LoadBoundary>
  );
}
