import { useTexts } from '@karaar/i18n';
import { Button, Modal, Stack, toast } from '@karaar/ui';
import { PasswordField } from '@karaar/ui/fields';
import { useState, type FormEvent, type ReactNode } from 'react';
import { sharedTexts } from '../../shared/texts.ts';
import css from './security.module.css';
import { securityTexts } from './texts.ts';

type PasswordDialogProps = {
  title: string;
  text?: string;
  confirm: string;
  /** A red button. */
  reject?: boolean;
  busy: boolean;
  onConfirm: (password: string) => void;
  onClose: () => void;
  /** Further fields, before the password. */
  children?: ReactNode;
};

/** Asks for the password again before a change of the sign-in. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, text, confirm, reject, busy, onConfirm, onClose, children } = props;
  const t = useTexts(securityTexts);
  const sayShared = useTexts(sharedTexts);
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) onConfirm(password);
    else toast.error(t('enterPassword'));
  };
  return (
    <Modal title={title} opened onClose={onClose} width={480}>
      <form onSubmit={submit} noValidate>
        <Stack gap={2}>
          {text && <p className="k-muted">{text}</p>}
          {children}
          <PasswordField
            label={t('password')}
            hint={t('passwordHint')}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <div className={css.answers}>
            <Button onClick={onClose}>{sayShared('cancel')}</Button>
            <Button type="submit" variant={reject ? 'reject' : 'primary'} loading={busy}>
              {confirm}
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
