import { useTexts } from '@karaar/i18n';
import { Button, Modal, Stack, TextArea } from '@karaar/ui';
import { useState, type FormEvent, type ReactNode } from 'react';
import css from './shared.module.css';
import { sharedTexts } from './texts.ts';

/** The minimum length of a reason, as in the services. */
const LEAST = 10;

type ReasonDialogProps = {
  title: string;
  text: string;
  /** The label of the field; "Reason" by default. */
  label?: string;
  confirm: string;
  /** A red button, for an action that harms the user concerned. */
  reject?: boolean;
  busy: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
  /** Further fields, before the reason. */
  children?: ReactNode;
};

/** Asks for confirmation and a reason before a recorded action. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, text, label, confirm, reject, busy, onConfirm, onClose, children } = props;
  const t = useTexts(sharedTexts);
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const short = reason.trim().length < LEAST;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!short) onConfirm(reason.trim());
  };
  return (
    <Modal title={title} opened onClose={onClose} width={480}>
      <form onSubmit={submit} noValidate>
        <Stack gap={2}>
          <p className="k-muted">{text}</p>
          {children}
          <TextArea
            label={label ?? t('reason')}
            hint={t('reasonHint')}
            error={tried && short ? t('reasonShort') : undefined}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <div className={css.answers}>
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="submit" variant={reject ? 'reject' : 'primary'} loading={busy}>
              {confirm}
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
