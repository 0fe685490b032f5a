import { ApiError, call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { activeLanguage, useTexts } from '@karaar/i18n';
import { Button, Stack, TextButton, toast } from '@karaar/ui';
import { OtpField } from '@karaar/ui/fields';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { keepInvitation, type PendingInvitation } from '../../shared/pending-invitation.ts';
import { useCountdown } from '../../shared/useCountdown.ts';
import { useShell } from '../../shared/useShell.ts';
import { invitationTexts } from './texts.ts';

const OTP_LENGTH = 6;

type ProveContactProps = {
  token: string;
  hint: string;
  /** Why a code is needed. */
  note: string;
  /** False if the person does not go on to the document. */
  entering?: boolean;
  onProved: (pending: PendingInvitation) => void;
};

/**
 * Sends a code to the invited number or address, which the invited person does not type. The code signs in a
 * number with an account, and leads any other number to registration. For an address, the code proves it, and
 * its person signs in or registers.
 */
export function ProveContact({ token, hint, note, entering = true, onProved }: ProveContactProps) {
  const t = useTexts(invitationTexts);
  const { signIn } = useShell();
  const navigate = useNavigate();
  const [otp, setOtp] = useState('');
  const [fault, setFault] = useState<string>();
  const [wait, startWait] = useCountdown();
  const field = useRef<HTMLInputElement>(null);

  const send = useMutation({
    mutationFn: () => call(authRoutes.sendInvitationCode, { body: { token, language: activeLanguage() } }),
    onSuccess: ({ resend_after_s }) => {
      startWait(resend_after_s);
      field.current?.focus();
    },
    onError: (error) => toast.error(toastText(error, t('sendFailed'))),
  });

  const prove = useMutation({
    mutationFn: async (code: string) => {
      const answer = await call(authRoutes.proveInvitation, {
        body: { token, otp: code, challenge_id: send.data?.challenge_id },
      });
      const pending = { token, contact: answer.contact, proof: answer.proof };
      keepInvitation(pending);
      if (answer.session) await signIn(answer.session, answer.contact);
      return { pending, ...answer };
    },
    onSuccess: ({ pending, channel, session }) => {
      if (entering && channel === 'phone' && !session) return void navigate('/register');
      onProved(pending);
    },
    onError: (error) => {
      const text = toastText(error, t('failed'));
      setOtp('');
      if (error instanceof ApiError && error.code === 'otp_wrong') setFault(text);
      else toast.error(text);
    },
  });
  const enter = (code: string) => {
    if (code.length === OTP_LENGTH && !prove.isPending) prove.mutate(code);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter(otp);
  };

  if (!send.isSuccess)
    return (
      <Stack gap={1.5}>
        <p className="k-muted">{note}</p>
        <Button variant="primary" wide onClick={() => send.mutate()} loading={send.isPending}>
          {t('sendCode')}
        </Button>
      </Stack>
    );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={2}>
        <OtpField
          ref={field}
          label={t('code')}
          hint={t('codeHint', { hint })}
          value={otp}
          length={OTP_LENGTH}
          error={fault}
          onChange={(code) => {
            setOtp(code);
            if (code) setFault(undefined);
          }}
          onComplete={enter}
        />
        <TextButton onClick={() => send.mutate()} disabled={wait > 0 || send.isPending}>
          {wait > 0 ? t('resendIn', { seconds: wait }) : t('resend')}
        </TextButton>
        <Button type="submit" variant="primary" wide loading={prove.isPending}>
          {t('continue')}
        </Button>
      </Stack>
    </form>
  );
}
