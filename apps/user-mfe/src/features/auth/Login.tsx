import { call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, Row, Stack, TextButton, toast } from '@karaar/ui';
import { otpOnly, OtpField, PhoneField } from '@karaar/ui/fields';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useCountdown } from '../../shared/useCountdown.ts';
import { useShell } from '../../shared/useShell.ts';
import { useTitle } from '../../shared/useTitle.ts';
import css from './auth.module.css';
import { isWholePhone, withPrefix } from './rules.ts';
import { authTexts } from './texts.ts';
import { useWebOtp } from './useWebOtp.ts';

/** Sign-in by phone and one-time code. */
export default function Login() {
  const t = useTexts(authTexts);
  useTitle(t('loginTitle'));
  const { signIn } = useShell();
  const navigate = useNavigate();
  // Who has just registered need not type the number again.
  const { state } = useLocation() as { state: { phone?: string } | null };
  const [phone, setPhone] = useState(state?.phone ?? '');
  const [otp, setOtp] = useState('');
  const [wait, startWait] = useCountdown();
  const otpField = useRef<HTMLInputElement>(null);

  const send = useMutation({
    mutationFn: () => call(authRoutes.sendOtp, { body: { phone_no: withPrefix(phone) } }),
    onSuccess: (answer) => {
      startWait(answer.resend_after_s);
      toast.info(t('otpSent'));
      otpField.current?.focus();
    },
    onError: (error) => toast.error(toastText(error, t('sendFailed'))),
  });

  const login = useMutation({
    mutationFn: async () => {
      const answer = await call(authRoutes.login, { body: { phone_no: withPrefix(phone), otp } });
      return signIn(answer, withPrefix(phone));
    },
    onSuccess: (path) => {
      toast.success(t('loginDone'));
      void navigate(path, { replace: true });
    },
    onError: (error) => toast.error(toastText(error, t('loginFailed'))),
  });

  useWebOtp(send.isSuccess, (code) => setOtp(otpOnly(code)));

  const askForCode = () => {
    if (!isWholePhone(phone)) return toast.error(t('badPhone'));
    send.mutate();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!phone || !otp) return toast.error(t('fillAll'));
    login.mutate();
  };

  return (
    <div className={css.card}>
      <h1>{t('loginTitle')}</h1>
      <p className={css.lead}>{t('loginLead')}</p>
      <form onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          <PhoneField
            label={t('phone')}
            placeholder={t('phonePlaceholder')}
            value={phone}
            onChange={setPhone}
            action={
              <TextButton onClick={askForCode} disabled={wait > 0 || send.isPending}>
                <span className={css.oneLine}>
                  {wait > 0 ? t('resendIn', { seconds: wait }) : t('sendOtp')}
                </span>
              </TextButton>
            }
          />
          <OtpField ref={otpField} label={t('otp')} hint={t('otpHint')} value={otp} onChange={setOtp} />
          <Button type="submit" variant="primary" wide loading={login.isPending}>
            {t('signIn')}
          </Button>
        </Stack>
      </form>
      <div className={css.switch}>
        <Row justify="center">
          <span className="k-muted">{t('noAccount')}</span>
          <Link to="/register">{t('toRegister')}</Link>
        </Row>
      </div>
    </div>
  );
}
