import { screen, useTexts } from '@karaar/i18n';
import { Modal as BaseModal } from '@mantine/core';
import type { ReactNode } from 'react';
import css from '../feedback/feedback.module.css';
import { uiTexts } from '../texts.ts';
import type { CalendarProps } from './CalendarPanel.tsx';
import { Library } from './Library.tsx';
import { useEscape } from './useEscape.ts';

// Imported here, so that the first page does not name its chunk.
const CalendarPanel = screen(() => import('./CalendarPanel.tsx'), []);

export type ModalProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** The width in pixels on a wide screen; a phone shows a sheet from below. */
  width?: number;
  /** False if a stray tap must not lose input; 'escape' allows only the Escape key. */
  dismissible?: boolean | 'escape';
  /** Full screen on a phone. */
  full?: boolean;
  /** Shows a calendar instead of children. */
  calendar?: CalendarProps;
  children?: ReactNode;
};

/** The dialog of `feedback/Modal.tsx`. */
export default function ModalPanel({
  title,
  opened,
  onClose,
  width = 520,
  dismissible = true,
  full = false,
  calendar,
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
          <BaseModal.Body>{calendar ? <CalendarPanel {...calendar} /> : children}</BaseModal.Body>
        </BaseModal.Content>
      </BaseModal.Root>
    </Library>
  );
}
