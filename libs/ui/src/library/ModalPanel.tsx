import { useTexts } from '@karaar/i18n';
import { Modal as BaseModal } from '@mantine/core';
import css from '../feedback/feedback.module.css';
import type { ModalProps } from '../feedback/Modal.tsx';
import { uiTexts } from '../texts.ts';
import { Library } from './Library.tsx';

/** The dialog of `feedback/Modal.tsx`. */
export default function ModalPanel({
  title,
  opened,
  onClose,
  width = 520,
  dismissible = true,
  children,
}: ModalProps) {
  const t = useTexts(uiTexts);
  return (
    <Library>
      <BaseModal.Root
        opened={opened}
        onClose={onClose}
        size={width}
        centered
        lockScroll={false}
        closeOnClickOutside={dismissible === true}
        closeOnEscape={dismissible !== false}
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
    </Library>
  );
}
