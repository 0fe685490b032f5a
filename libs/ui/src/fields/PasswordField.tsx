import { useTexts } from '@karaar/i18n';
import { IconButton, partTexts, TextField } from '@karaar/ui';
import { useState, type ComponentProps } from 'react';

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'action' | 'code'>) {
  const t = useTexts(partTexts);
  const [shown, setShown] = useState(false);
  return (
    <TextField
      autoComplete="current-password"
      {...props}
      type={shown ? 'text' : 'password'}
      action={
        <IconButton
          icon={shown ? 'eyeOff' : 'eye'}
          label={t(shown ? 'hidePassword' : 'showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
