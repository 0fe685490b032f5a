import { useTexts } from '@karaar/i18n';
import { Button, Stack, TextField, toast } from '@karaar/ui';
import { PasswordField } from '@karaar/ui/fields';
import { useState, type FormEvent } from 'react';
import type { Credentials } from './sign-in.ts';
import { loginTexts } from './texts.ts';

type PasswordStepProps = {
  /** The credentials of the previous attempt. */
  credentials: Credentials;
  busy: boolean;
  onTry: (credentials: Credentials) => void;
};

export function PasswordStep({ credentials, busy, onTry }: PasswordStepProps) {
  const t = useTexts(loginTexts);
  const [entered, setEntered] = useState(credentials);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (entered.username && entered.password) onTry(entered);
    else toast.error(t('fillAll'));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={2.5}>
        <TextField
          label={t('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={entered.username}
          onChange={(event) => setEntered({ ...entered, username: event.target.value })}
        />
        <PasswordField
          label={t('password')}
          value={entered.password}
          onChange={(event) => setEntered({ ...entered, password: event.target.value })}
        />
        <Button type="submit" variant="primary" wide loading={busy}>
          {t('signIn')}
        </Button>
      </Stack>
    </form>
  );
}
