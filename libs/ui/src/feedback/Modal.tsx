import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';

const ModalPanel = lazy(() => import('../library/ModalPanel.tsx'));
const DrawerPanel = lazy(() => import('../library/DrawerPanel.tsx'));

let locks = 0;

/**
 * Keeps the page behind from scrolling, without a jump where the scrollbar was. By an attribute, as injected
 * <style> is against the page's CSP.
 */
function useScrollLock(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const { documentElement: root, body } = document;
    if (locks === 0) body.style.paddingRight = `${window.innerWidth - root.clientWidth}px`;
    locks += 1;
    root.toggleAttribute('data-scroll-locked', true);
    return () => {
      locks -= 1;
      if (locks > 0) return;
      root.toggleAttribute('data-scroll-locked', false);
      body.style.paddingRight = '';
    };
  }, [active]);
}

/** True from the first time on: what was never opened needs no code, what is being closed still does. */
function useOnceOpened(opened: boolean): boolean {
  const [once, setOnce] = useState(opened);
  if (opened && !once) setOnce(true);
  return once || opened;
}

export type ModalProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Pixels of width on a wide screen; a phone shows a sheet from below. */
  width?: number;
  /** False while something must not be lost by a stray tap. */
  dismissible?: boolean;
  children: ReactNode;
};

/** A dialog with a title and a close button; keeps the focus inside and gives it back. */
export function Modal(props: ModalProps) {
  useScrollLock(props.opened);
  const once = useOnceOpened(props.opened);
  return <Suspense>{once && <ModalPanel {...props} />}</Suspense>;
}

export type DrawerProps = { label: string; opened: boolean; onClose: () => void; children: ReactNode };

/** A panel from the left, for the navigation on phones. */
export function Drawer(props: DrawerProps) {
  useScrollLock(props.opened);
  const once = useOnceOpened(props.opened);
  return <Suspense>{once && <DrawerPanel {...props} />}</Suspense>;
}
