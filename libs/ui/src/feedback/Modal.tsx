import { screen, useTexts } from '@karaar/i18n';
import {
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { Button } from '../controls/Button.tsx';
import { uiTexts } from '../texts.ts';
import css from './feedback.module.css';
import { LoadBoundary, MissingPart } from './LoadBoundary.tsx';
import type { DrawerProps } from '../library/DrawerPanel.tsx';
import type { ModalProps } from '../library/ModalPanel.tsx';

const ModalPanel = screen(() => import('../library/ModalPanel.tsx'), []);
const DrawerPanel = screen(() => import('../library/DrawerPanel.tsx'), []);

let locks = 0;

/**
 * Locks the scroll of the page, without a jump at the scrollbar. By an attribute, because the page's CSP
 * forbids an injected <style>.
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

/** Returns true from the first opening: an unopened dialog needs no code, but a closing one still does. */
function useOnceOpened(opened: boolean): boolean {
  const [once, setOnce] = useState(opened);
  if (opened && !once) setOnce(true);
  return once || opened;
}

const nothingHasFocus = () => document.activeElement === null || document.activeElement === document.body;

/**
 * Returns the focus to the element that opened a dialog, also if the dialog unmounts: the library does so
 * only for a dialog that is closed. A focus moved elsewhere stays.
 */
function useFocusReturn(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        if (nothingHasFocus() && before instanceof HTMLElement && before.isConnected)
          before.focus({ preventScroll: true });
      });
    };
  }, [opened]);
}

/** Focuses a dialog whose title changed (its next step), because the focused element may be gone. */
function useFocusInStep(title: string): RefObject<HTMLDivElement | null> {
  const step = useRef<HTMLDivElement>(null);
  const before = useRef(title);
  useEffect(() => {
    if (before.current === title) return;
    before.current = title;
    if (nothingHasFocus()) step.current?.closest<HTMLElement>('[role=dialog]')?.focus();
  }, [title]);
  return step;
}

/** A dialog with a title and a close button; traps the focus and returns it. */
export function Modal(props: ModalProps) {
  useScrollLock(props.opened);
  useFocusReturn(props.opened);
  const step = useFocusInStep(props.title);
  const once = useOnceOpened(props.opened);
  return (
    <OrMissing {...props} name={props.title}>
      {once && (
        <ModalPanel {...props}>
          <div ref={step}>
            <LoadBoundary>{props.children}</LoadBoundary>
          </div>
        </ModalPanel>
      )}
    </OrMissing>
  );
}

/** A panel from the left, for the navigation on phones. */
export function Drawer(props: DrawerProps) {
  useScrollLock(props.opened);
  const once = useOnceOpened(props.opened);
  return (
    <OrMissing {...props} name={props.label}>
      {once && <DrawerPanel {...props} />}
    </OrMissing>
  );
}

type OrMissingProps = { name: string; opened: boolean; onClose: () => void; children: ReactNode };

/** Replaces a panel whose code could not be loaded by a plain one. */
function OrMissing({ name, opened, onClose, children }: OrMissingProps) {
  const t = useTexts(uiTexts);
  return (
    <LoadBoundary
      resetKey={opened}
      missing={(again, trying) =>
        opened && (
          <div className={css.lost} role="alertdialog" aria-label={name}>
            <MissingPart onRetry={again} retrying={trying} />
            <Button onClick={onClose}>{t('close')}</Button>
          </div>
        )
      }
    >
      <Suspense>{children}</Suspense>
    </LoadBoundary>
  );
}
