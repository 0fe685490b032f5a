import { useTexts } from '@karaar/i18n';
import { Button, Stack, TextField, toast } from '@karaar/ui';
import { otpOnly } from '@karaar/ui/fields';
import { useState, type FormEvent } from 'react';
import { loginTexts } from './texts.ts';

type CodeStepProps = { kind: 'app' | 'recovery' | 'lost'; busy: boolean; onTry: (code: string) => void };

/** A code of the authenticator app, or a recovery code. */
export function CodeStep({ kind, busy, onTry }: CodeStepProps) {
  const t = useTexts(loginTexts);
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) onTry(code.trim());
    else toast.error(t('fillAll'));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={2.5}>
        <TextField
          label={t(kind === 'app' ? 'code' : 'recoveryCode')}
          code
          autoFocus
          autoComplete="one-time-code"
          inputMode={kind === 'app' ? 'numeric' : 'text'}
          maxLength={24}
          value={code}
          onChange={(event) => setCode(kind === 'app' ? otpOnly(event.target.value) : event.target.value)}
        />
        <Button type="submit" variant="primary" wide loading={busy}>
          {t('signIn')}
        </Button>
      </Stack>
    </form>
  );
}
