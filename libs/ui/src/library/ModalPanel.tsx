import { useTexts } from '@karaar/i18n';
import { Modal as BaseModal } from '@mantine/core';
import type { ReactNode } from 'react';
import css from '../feedback/feedback.module.css';
import { uiTexts } from '../texts.ts';
import { Library } from './Library.tsx';
import { useEscape } from './useEscape.ts';

export type ModalProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Pixels of width on a wide screen; a phone shows a sheet from below. */
  width?: number;
  /** False while something must not be lost by a stray tap; 'escape' where only a tap can be one. */
  dismissible?: boolean | 'escape';
  /** On a phone it takes the whole screen. */
  full?: boolean;
  children: ReactNode;
};

/** The dialog of `feedback/Modal.tsx`. */
export default function ModalPanel({
  title,
  opened,
  onClose,
  width = 520,
  dismissible = true,
  full = false,
  children,
}: ModalProps) {
  const t = useTexts(uiTexts);
  useEscape({ opened, closes: dismissible !== false, onClose });
  return (
    <Library>
      <BaseModal.Root
        opened={opened}
        onClose={onClose}
        size={width}
        centered
        lockScroll={false}
        closeOnClickOutside={dismissible === true}
        closeOnEscape={false}
        transitionProps={{ transition: 'fade', duration: 120 }}
      >
        <BaseModal.Overlay />
        <BaseModal.Content data-full={full || undefined}>
          <div className={css.modalHead}>
            <BaseModal.Title>{title}</BaseModal.Title>
            <BaseModal.CloseButton aria-label={t('close')} />
          </div>
          <BaseModal.Body>{children}</BaseModal.Body>
        </BaseModal.Content>
      </BaseModal.Root>
    </Library>
  );
}
