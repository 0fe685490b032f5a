import { call, toastText, type Answer } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, Sheet, Stack, TextField, toast } from '@karaar/ui';
import { otpOnly } from '@karaar/ui/fields';
import { QrCode } from '@karaar/ui/qr';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { meQuery } from '../../shared/queries.ts';
import { PasswordDialog } from './PasswordDialog.tsx';
import css from './security.module.css';
import { securityTexts } from './texts.ts';

type Enrolment = Answer<typeof authRoutes.enrollTotp>;

/** Sets up an authenticator app, or replaces it. */
export function AppFactor({ again, onCodes }: { again: boolean; onCodes: (codes: string[]) => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  if (!enrolment) return <Begin again={again} onBegun={setEnrolment} />;
  return <Confirm enrolment={enrolment} onDone={onCodes} />;
}

function Begin({ again, onBegun }: { again: boolean; onBegun: (enrolment: Enrolment) => void }) {
  const t = useTexts(securityTexts);
  const [asking, setAsking] = useState(false);
  const begin = useMutation({
    mutationFn: (password: string) => call(authRoutes.enrollTotp, { body: { password } }),
    onSuccess: onBegun,
    onError: (error) => toast.error(toastText(error, t('failed'))),
  });
  const title = t(again ? 'replace' : 'setUp');
  return (
    <Sheet title={title} note={t(again ? 'replaceNote' : 'setUpNote')}>
      <div>
        <Button icon="phone" onClick={() => setAsking(true)}>
          {t('begin')}
        </Button>
      </div>
      {asking && (
        <PasswordDialog
          title={title}
          confirm={t('begin')}
          busy={begin.isPending}
          onConfirm={(password) => begin.mutate(password)}
          onClose={() => setAsking(false)}
        />
      )}
    </Sheet>
  );
}

function Confirm({ enrolment, onDone }: { enrolment: Enrolment; onDone: (codes: string[]) => void }) {
  const t = useTexts(securityTexts);
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => call(authRoutes.confirmTotp, { body: { code } }),
    onSuccess: ({ recovery_codes }) => {
      void queries.invalidateQueries(meQuery);
      toast.success(t('turnedOn'));
      onDone(recovery_codes);
    },
    onError: (error) => toast.error(toastText(error, t('failed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (/^\d{6}$/.test(code)) confirm.mutate();
    else toast.error(t('sixDigits'));
  };
  return (
    <Sheet title={t('scan')} note={t('scanNote')}>
      <div className={css.scan}>
        <QrCode text={enrolment.otpauth_url} label={t('qr')} />
        <div className={css.steps}>
          <p className="k-muted">{t('byHand')}</p>
          <code className={css.secret} translate="no">
            {enrolment.secret.replace(/(.{4})/g, '$1 ').trim()}
          </code>
          <form onSubmit={submit} noValidate>
            <Stack>
              <TextField
                label={t('code')}
                code
                inputMode="numeric"
                autoComplete="one-time-code"
                value={code}
                onChange={(event) => setCode(otpOnly(event.target.value))}
              />
              <div>
                <Button type="submit" variant="primary" loading={confirm.isPending}>
                  {t('turnOn')}
                </Button>
              </div>
            </Stack>
          </form>
        </div>
      </div>
    </Sheet>
  );
}
