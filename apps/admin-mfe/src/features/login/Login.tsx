import { ApiError, toastText, type ShellContext } from '@karaar/api-client';
import { useTexts, type KeyOf } from '@karaar/i18n';
import { Button, PublicFrame, TextButton, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useOutletContext } from 'react-router';
import { useTabTitle } from '../../shared/AdminPage.tsx';
import { makePasskey, NoPasskey, signWithPasskey } from '../../shared/passkeys/authenticator.ts';
import { RecoveryCodes } from '../../shared/passkeys/RecoveryCodes.tsx';
import { passkeyTexts } from '../../shared/passkeys/texts.ts';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { AddStep } from './AddStep.tsx';
import { CodeStep } from './CodeStep.tsx';
import css from './login.module.css';
import { PasswordStep } from './PasswordStep.tsx';
import { askForPasskey, finish, tryCredentials, type Credentials, type Next, type Step } from './sign-in.ts';
import type en from './texts/en.json';
import { loginTexts } from './texts.ts';

const START: Step = { name: 'password' };

/** Sign-in of admins: name and password, then a passkey or the code of an authenticator app. */
export default function Login() {
  const t = useTexts(loginTexts);
  const sayPasskey = useTexts(passkeyTexts);
  const [step, setStep] = useState<Step>(START);
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' });
  const { adminSignIn } = useOutletContext<ShellContext>();
  const navigate = useNavigate();
  const queries = useQueryClient();
  useTabTitle(t('title'));

  const enter = (token: string) => {
    queries.removeQueries({ queryKey: [ADMIN_KEY] });
    const path = adminSignIn(token);
    toast.success(t('done'));
    void navigate(path, { replace: true });
  };
  const login = useMutation({
    mutationFn: (ask: () => Promise<Next>) => ask(),
    onSuccess: (next) => {
      if ('token' in next) return enter(next.token);
      setStep(next.step);
      // Asks for the passkey at once; if the browser requires a press, the button does it.
      if (next.step.name === 'use') signWith(next.step);
    },
    onError: (error) => {
      if (error instanceof NoPasskey) return toast.error(sayPasskey(error.fault));
      const refused = error instanceof ApiError && error.code === 'invalid_credentials';
      // A passkey challenge is valid for one attempt; the sign-in starts over.
      setStep((now) => (refused || now.name === 'use' || now.name === 'add' ? START : now));
      toast.error(refused ? t('refused') : toastText(error, t('failed')));
    },
  });
  const signWith = ({ ceremony_id, options }: Extract<Step, { name: 'use' }>) =>
    login.mutate(async () => finish({ ceremony_id, used: await signWithPasskey(options) }));
  const addPasskey = ({ ceremony_id, options }: Extract<Step, { name: 'add' }>, name: string) =>
    login.mutate(async () => finish({ ceremony_id, added: await makePasskey(options), name }));
  const tryCode = (code: string, toPasskey: boolean) =>
    login.mutate(() => (toPasskey ? askForPasskey(credentials, code) : tryCredentials(credentials, code)));
  const busy = login.isPending;

  return (
    <PublicFrame>
      <div className={css.card}>
        <h1>{step.name === 'codes' ? sayPasskey('codes') : t(titleOf(step))}</h1>
        <p className={css.lead}>{step.name === 'codes' ? sayPasskey('codesNote') : t(leadOf(step))}</p>
        {step.name === 'password' && (
          <PasswordStep
            credentials={credentials}
            busy={busy}
            onTry={(entered) => {
              setCredentials(entered);
              login.mutate(() => tryCredentials(entered));
            }}
          />
        )}
        {step.name === 'code' && (
          <CodeStep
            key={step.kind}
            kind={step.kind}
            busy={busy}
            onTry={(code) => tryCode(code, step.toPasskey)}
          />
        )}
        {step.name === 'use' && (
          <Button variant="primary" wide icon="shield" loading={busy} onClick={() => signWith(step)}>
            {t('usePasskey')}
          </Button>
        )}
        {step.name === 'add' && <AddStep busy={busy} onAdd={(name) => addPasskey(step, name)} />}
        {step.name === 'codes' && <RecoveryCodes codes={step.codes} onDone={() => enter(step.token)} />}
        {step.name !== 'password' && step.name !== 'codes' && (
          <div className={css.more}>
            <OtherWay step={step} onStep={setStep} />
            <TextButton onClick={() => setStep(START)}>{t('back')}</TextButton>
          </div>
        )}
      </div>
    </PublicFrame>
  );
}

/** The alternative to the present step. */
function OtherWay({ step, onStep }: { step: Step; onStep: (step: Step) => void }) {
  const t = useTexts(loginTexts);
  if (step.name === 'use')
    return (
      <TextButton onClick={() => onStep({ name: 'code', kind: 'lost', toPasskey: true })}>
        {t('lostPasskey')}
      </TextButton>
    );
  if (step.name !== 'code' || step.kind === 'lost') return null;
  const other = step.kind === 'app' ? 'recovery' : 'app';
  return (
    <TextButton onClick={() => onStep({ ...step, kind: other })}>
      {t(other === 'app' ? 'useApp' : 'useRecovery')}
    </TextButton>
  );
}

type Key = KeyOf<typeof en>;
type TitledStep = Exclude<Step, { name: 'codes' }>;

function titleOf({ name }: TitledStep): Key {
  return name === 'password' ? 'title' : name === 'add' ? 'addTitle' : 'secondStep';
}

function leadOf(step: TitledStep): Key {
  switch (step.name) {
    case 'password':
      return 'lead';
    case 'code':
      return step.kind === 'app' ? 'secondLead' : step.kind === 'lost' ? 'lostLead' : 'recoveryLead';
    case 'use':
      return 'useLead';
    case 'add':
      return 'addLead';
  }
}
