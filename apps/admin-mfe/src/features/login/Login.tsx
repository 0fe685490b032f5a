import { ApiError, call, toastText, type ShellContext } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, PublicFrame, Stack, TextButton, TextField, toast } from '@karaar/ui';
import { PasswordField } from '@karaar/ui/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useNavigate, useOutletContext } from 'react-router';
import { useTabTitle } from '../../shared/AdminPage.tsx';
import { ADMIN_KEY } from '../../shared/queries.ts';
import css from './login.module.css';
import { loginTexts } from './texts.ts';

type Credentials = { username: string; password: string };
type Step = 'password' | 'app' | 'recovery';

/** The admins' door: name and password, then the second factor of those who have one. */
export default function Login() {
  const t = useTexts(loginTexts);
  const [step, setStep] = useState<Step>('password');
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' });
  const [code, setCode] = useState('');
  const { adminSignIn } = useOutletContext<ShellContext>();
  const navigate = useNavigate();
  const queries = useQueryClient();
  useTabTitle(t('title'));

  const login = useMutation({
    mutationFn: () => {
      const totp = step === 'password' ? {} : { totp: code.trim() };
      return call(authRoutes.adminLogin, { body: { ...credentials, ...totp } });
    },
    onSuccess: ({ token }) => {
      queries.removeQueries({ queryKey: [ADMIN_KEY] });
      const path = adminSignIn(token);
      toast.success(t('done'));
      void navigate(path, { replace: true });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'totp_required') return setStep('app');
      const refused = error instanceof ApiError && error.code === 'invalid_credentials';
      if (refused) setStep('password');
      toast.error(refused ? t('refused') : toastText(error, t('failed')));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filled = step === 'password' ? credentials.username && credentials.password : code.trim();
    if (!filled) return toast.error(t('fillAll'));
    login.mutate();
  };
  const goTo = (next: Step) => {
    setCode('');
    setStep(next);
  };

  return (
    <PublicFrame>
      <div className={css.card}>
        <h1>{t(step === 'password' ? 'title' : 'secondStep')}</h1>
        <p className={css.lead}>
          {t(step === 'password' ? 'lead' : step === 'app' ? 'secondLead' : 'recoveryLead')}
        </p>
        <form onSubmit={submit} noValidate>
          <Stack gap={2.5}>
            {step === 'password' ? (
              <>
                <TextField
                  label={t('username')}
                  autoComplete="username"
                  autoCapitalize="none"
                  spellCheck={false}
                  value={credentials.username}
                  onChange={(event) => setCredentials({ ...credentials, username: event.target.value })}
                />
                <PasswordField
                  label={t('password')}
                  value={credentials.password}
                  onChange={(event) => setCredentials({ ...credentials, password: event.target.value })}
                />
              </>
            ) : (
              <TextField
                key={step}
                label={t(step === 'app' ? 'code' : 'recoveryCode')}
                code
                autoFocus
                autoComplete="one-time-code"
                inputMode={step === 'app' ? 'numeric' : 'text'}
                maxLength={step === 'app' ? 6 : 24}
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
            <Button type="submit" variant="primary" wide loading={login.isPending}>
              {t('signIn')}
            </Button>
          </Stack>
        </form>
        {step !== 'password' && (
          <div className={css.more}>
            <TextButton onClick={() => goTo(step === 'app' ? 'recovery' : 'app')}>
              {t(step === 'app' ? 'useRecovery' : 'useApp')}
            </TextButton>
            <TextButton onClick={() => goTo('password')}>{t('back')}</TextButton>
          </div>
        )}
      </div>
    </PublicFrame>
  );
}
