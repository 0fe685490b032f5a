import { ApiError, browserSecret, call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { activeLanguage, useTexts } from '@karaar/i18n';
import { Button, Row, Stack, TextButton, toast } from '@karaar/ui';
import { otpOnly, OtpField, PhoneField } from '@karaar/ui/fields';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { isProvedInvitation, pendingInvitation } from '../../shared/pending-invitation.ts';
import { useCountdown } from '../../shared/useCountdown.ts';
import { useFieldFaults } from '../../shared/useFieldFaults.ts';
import { useShell } from '../../shared/useShell.ts';
import { useTitle } from '../../shared/useTitle.ts';
import css from './auth.module.css';
import { isWholePhone, withPrefix } from './rules.ts';
import { authTexts } from './texts.ts';
import { useWebOtp } from './useWebOtp.ts';

const OTP_LENGTH = 6;

/** Sign-in by phone and one-time code. */
export default function Login() {
  const t = useTexts(authTexts);
  useTitle(t('loginTitle'));
  // A user who has just registered does not type the number again.
  const { state } = useLocation() as { state: { phone?: string } | null };
  const [phone, setPhone] = useState(state?.phone ?? '');
  const [otp, setOtp] = useState('');
  const otpField = useRef<HTMLInputElement>(null);
  const { form, faults, show, clear } = useFieldFaults<'phone' | 'otp'>();
  const { send, wait, challenge } = useSendCode(phone, () => otpField.current?.focus());
  const login = useLogin(phone, challenge, (text) => {
    // A wrong code is invalid from now on, so the boxes are cleared.
    setOtp('');
    show({ otp: text });
  });

  /** Signs in as soon as the code is complete, whether typed, pasted or read from the SMS. */
  const enter = (code: string) => {
    if (isWholePhone(phone) && !login.isPending) login.mutate(code);
  };
  const lead = useLead();
  useWebOtp(send.isSuccess, (text) => {
    const code = otpOnly(text);
    setOtp(code);
    if (code.length === OTP_LENGTH) enter(code);
  });

  const askForCode = () => {
    if (show(isWholePhone(phone) ? {} : { phone: t('badPhone') })) send.mutate();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = t('fillAll');
    const whole = show({ ...(phone ? {} : { phone: missing }), ...(otp ? {} : { otp: missing }) });
    if (whole && !login.isPending) login.mutate(otp);
  };

  return (
    <div className={css.card}>
      <h1>{t('loginTitle')}</h1>
      <p className={css.lead}>{t(lead)}</p>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          <PhoneField
            label={t('phone')}
            placeholder={t('phonePlaceholder')}
            value={phone}
            error={faults.phone}
            onChange={(digits) => {
              setPhone(digits);
              clear('phone');
            }}
            action={<SendButton wait={wait} busy={send.isPending} onPress={askForCode} />}
          />
          <OtpField
            ref={otpField}
            label={t('otp')}
            hint={t('otpHint')}
            value={otp}
            length={OTP_LENGTH}
            error={faults.otp}
            onChange={(code) => {
              setOtp(code);
              if (code) clear('otp');
            }}
            onComplete={enter}
          />
          <Button type="submit" variant="primary" wide loading={login.isPending}>
            {t('signIn')}
          </Button>
        </Stack>
      </form>
      <ToRegister />
    </div>
  );
}

/** Returns the text below the title: the reason to sign in, after an expired session and for a link to a document. */
function useLead() {
  const { signInReason } = useShell();
  const [reason] = useState(() => (pendingInvitation() ? 'document' : signInReason()));
  return reason ?? 'loginLead';
}

/**
 * Sends a code. The wait and the challenge belong to the number: a corrected number does not wait for the
 * mistyped one.
 */
function useSendCode(phone: string, onSent: () => void) {
  const t = useTexts(authTexts);
  const [seconds, startWait] = useCountdown();
  const [sent, setSent] = useState<{ to: string; challenge: string }>();
  const send = useMutation({
    mutationFn: () =>
      call(authRoutes.sendOtp, {
        body: { phone_no: withPrefix(phone), language: activeLanguage(), browser: browserSecret() },
      }),
    onSuccess: (answer) => {
      setSent({ to: phone, challenge: answer.challenge_id });
      startWait(answer.resend_after_s);
      toast.info(t(answer.already_sent ? 'otpAlreadySent' : 'otpSent'));
      onSent();
    },
    onError: (error) => toast.error(toastText(error, t('sendFailed'))),
  });
  const here = sent?.to === phone ? sent : undefined;
  return { send, wait: here ? seconds : 0, challenge: here?.challenge };
}

function useLogin(phone: string, challenge: string | undefined, onWrongCode: (text: string) => void) {
  const t = useTexts(authTexts);
  const { signIn } = useShell();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (code: string) => {
      const answer = await call(authRoutes.login, {
        body: {
          phone_no: withPrefix(phone),
          otp: code,
          browser: browserSecret(),
          ...(challenge ? { challenge_id: challenge } : {}),
        },
      });
      const path = await signIn(answer, withPrefix(phone));
      return isProvedInvitation() ? '/invitation' : path;
    },
    onSuccess: (path) => {
      toast.success(t('loginDone'));
      void navigate(path, { replace: true });
    },
    onError: (error) => {
      const text = toastText(error, t('loginFailed'));
      if (!(error instanceof ApiError && error.code === 'otp_wrong')) return toast.error(text);
      onWrongCode(text);
    },
  });
}

type SendButtonProps = { wait: number; busy: boolean; onPress: () => void };

function SendButton({ wait, busy, onPress }: SendButtonProps) {
  const t = useTexts(authTexts);
  return (
    <TextButton onClick={onPress} disabled={wait > 0 || busy}>
      <span className={css.oneLine}>{wait > 0 ? t('resendIn', { seconds: wait }) : t('sendOtp')}</span>
    </TextButton>
  );
}

function ToRegister() {
  const t = useTexts(authTexts);
  return (
    <div className={css.switch}>
      <Row justify="center">
        <span className="k-muted">{t('noAccount')}</span>
        <Link to="/register">{t('toRegister')}</Link>
      </Row>
    </div>
  );
}
