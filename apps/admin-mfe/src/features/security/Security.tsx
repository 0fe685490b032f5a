import { call, toastText, type Answer } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, Notice, Sheet, Stack, TextField, toast } from '@karaar/ui';
import { PasswordField } from '@karaar/ui/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { meQuery } from '../../shared/queries.ts';
import { useAdmin } from '../../shared/useAdmin.ts';
import { QrCode } from './QrCode.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import css from './security.module.css';
import { securityTexts } from './texts.ts';

type Enrolment = Answer<typeof authRoutes.enrollTotp>;
/** Fewer are a reason to make new ones. */
const FEW_CODES = 3;

/** The second factor of the signed-in admin. */
export default function Security() {
  const t = useTexts(securityTexts);
  const { me } = useAdmin();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const finish = (made: string[]) => {
    setEnrolment(null);
    setCodes(made);
  };
  return (
    <AdminPage title={t('title')} lead={t('lead')} narrow>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : (
        <>
          <Notice tone={me.totp_enabled ? 'verified' : 'waiting'}>
            {me.totp_enabled ? t('isOn', { count: me.recovery_codes_left }) : t('isOff')}
          </Notice>
          {me.totp_enabled && me.recovery_codes_left < FEW_CODES && (
            <Notice tone="waiting">{t('fewCodes')}</Notice>
          )}
          {enrolment ? (
            <Confirm enrolment={enrolment} onDone={finish} />
          ) : (
            <Begin again={me.totp_enabled} onBegun={setEnrolment} />
          )}
        </>
      )}
    </AdminPage>
  );
}

function Begin({ again, onBegun }: { again: boolean; onBegun: (enrolment: Enrolment) => void }) {
  const t = useTexts(securityTexts);
  const [password, setPassword] = useState('');
  const begin = useMutation({
    mutationFn: () => call(authRoutes.enrollTotp, { body: { password } }),
    onSuccess: onBegun,
    onError: (error) => toast.error(toastText(error, t('failed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) begin.mutate();
    else toast.error(t('enterPassword'));
  };
  return (
    <Sheet title={t(again ? 'replace' : 'setUp')} note={t(again ? 'replaceNote' : 'setUpNote')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <PasswordField
            label={t('password')}
            hint={t('passwordHint')}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <div>
            <Button type="submit" variant="primary" loading={begin.isPending}>
              {t('begin')}
            </Button>
          </div>
        </Stack>
      </form>
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
                maxLength={6}
                value={code}
                onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
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
