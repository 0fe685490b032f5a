import { useTexts } from '@karaar/i18n';
import { Drawer as BaseDrawer, Modal as BaseModal } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { uiTexts } from '../texts.ts';
import css from './feedback.module.css';

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

type ModalProps = {
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
export function Modal({ title, opened, onClose, width = 520, dismissible = true, children }: ModalProps) {
  const t = useTexts(uiTexts);
  useScrollLock(opened);
  return (
    <BaseModal.Root
      opened={opened}
      onClose={onClose}
      size={width}
      centered
      lockScroll={false}
      closeOnClickOutside={dismissible}
      closeOnEscape={dismissible}
      transitionProps={{ transition: 'fade', duration: 120 }}
    >
      <BaseModal.Overlay />
      <BaseModal.Content>
        <div className={css.modalHead}>
          <BaseModal.Title>{title}</BaseModal.Title>
          <BaseModal.CloseButton aria-label={t('close')} />
        </div>
        <BaseModal.Body>{children}</BaseModal.Body>
      </BaseModal.Content>
    </BaseModal.Root>
  );
}

type DrawerProps = { label: string; opened: boolean; onClose: () => void; children: ReactNode };

/** A panel from the left, for the navigation on phones. */
export function Drawer({ label, opened, onClose, children }: DrawerProps) {
  useScrollLock(opened);
  return (
    <BaseDrawer.Root
      opened={opened}
      onClose={onClose}
      size={300}
      lockScroll={false}
      transitionProps={{ duration: 140 }}
    >
      <BaseDrawer.Overlay />
      <BaseDrawer.Content aria-label={label}>
        <BaseDrawer.Body>{children}</BaseDrawer.Body>
      </BaseDrawer.Content>
    </BaseDrawer.Root>
  );
}
