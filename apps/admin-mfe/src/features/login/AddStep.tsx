import { useTexts } from '@karaar/i18n';
import { Button, Stack, TextField } from '@karaar/ui';
import { useState, type FormEvent } from 'react';
import { passkeyTexts } from '../../shared/passkeys/texts.ts';

/** A first passkey, or a replacement for a lost one. */
export function AddStep({ busy, onAdd }: { busy: boolean; onAdd: (name: string) => void }) {
  const t = useTexts(passkeyTexts);
  const [name, setName] = useState(t('thisDevice'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAdd(name.trim() || t('thisDevice'));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={2.5}>
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" wide icon="shield" loading={busy}>
          {t('add')}
        </Button>
      </Stack>
    </form>
  );
}
