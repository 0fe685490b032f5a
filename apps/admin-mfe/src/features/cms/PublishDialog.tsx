import { useTexts } from '@karaar/i18n';
import { Button, Modal, Stack, TextField } from '@karaar/ui';
import { useState, type FormEvent } from 'react';
import css from './cms.module.css';
import { cmsTexts } from './texts.ts';

type PublishDialogProps = {
  opened: boolean;
  busy: boolean;
  onClose: () => void;
  onPublish: (note: string) => void;
};

/** Asks for confirmation, and for a note about the change. */
export function PublishDialog({ opened, busy, onClose, onPublish }: PublishDialogProps) {
  const t = useTexts(cmsTexts);
  const [note, setNote] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPublish(note.trim());
    setNote('');
  };
  return (
    <Modal title={t('publishQuestion')} opened={opened} onClose={onClose} width={440}>
      <form onSubmit={submit}>
        <Stack>
          <p>{t('publishText')}</p>
          <TextField
            data-autofocus
            label={t('change')}
            required={false}
            maxLength={200}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <div className={css.answers}>
            <Button onClick={onClose}>{t('back')}</Button>
            <Button type="submit" variant="primary" loading={busy}>
              {t('publish')}
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
