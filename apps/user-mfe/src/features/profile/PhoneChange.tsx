import { call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, formatDateTime, Modal, Row, Stack, TextButton, toast } from '@karaar/ui';
import { OtpField, PhoneField } from '@karaar/ui/fields';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { useCountdown } from '../../shared/useCountdown.ts';
import { refusedField } from '../../shared/refused-field.ts';
import { useFieldFaults } from '../../shared/useFieldFaults.ts';
import { useShell } from '../../shared/useShell.ts';
import { isConfirming, stepUpText, useStepUp } from '../step-up/useStepUp.tsx';
import css from './profile.module.css';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

/**
 * Changes the phone number: a code to the new number proves it, and a code to the present one confirms the
 * change.
 */
export function PhoneChange({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTexts(profileTexts);
  return (
    <Modal title={t('changePhone')} opened={opened} onClose={() => !isConfirming() && onClose()} width={440}>
      {opened && <PhoneForm onClose={onClose} />}
    </Modal>
  );
}

function PhoneForm({ onClose }: { onClose: () => void }) {
  const t = useTexts(profileTexts);
  const { replaceUser } = useShell();
  const [digits, setDigits] = useState('');
  const [otp, setOtp] = useState('');
  const [wait, startWait] = useCountdown();
  const otpField = useRef<HTMLInputElement>(null);
  const phone_no = `+91${digits}`;
  const { perform, dialog } = useStepUp();
  const { form, faults, show, clear } = useFieldFaults<'phone_no' | 'otp'>();
  const phoneFault = digits.length === 10 ? {} : { phone_no: t('badPhone') };
  const refuse = (error: unknown, text: string) => {
    const at = refusedField(error);
    if (at === 'phone_no' || at === 'otp') show({ [at]: text });
    else toast.error(text);
  };

  const send = useMutation({
    mutationFn: () => call(authRoutes.sendPhoneCode, { body: { phone_no } }),
    onSuccess: (answer) => {
      startWait(answer.resend_after_s);
      toast.info(t('codeSent'));
      otpField.current?.focus();
    },
    onError: (error) => refuse(error, toastText(error, t('sendFailed'))),
  });
  const change = useMutation({
    mutationFn: () =>
      perform(
        { action: 'change_phone', phone_no },
        (options) => call(authRoutes.changePhone, { body: { phone_no, otp } }, options),
        { withoutNumber: (options) => call(authRoutes.movePhone, { body: { phone_no, otp } }, options) },
      ),
    onSuccess: (profile) => {
      replaceUser(profile);
      const date = formatDateTime(profile.phone_move?.effective_at);
      toast.success(profile.phone_move ? t('phoneMoves', { date }) : t('phoneChanged'));
      onClose();
    },
    onError: (error) => refuse(error, stepUpText(error, t('phoneFailed'))),
  });

  const askForCode = () => {
    if (show(phoneFault)) send.mutate();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (show({ ...phoneFault, ...(otp.length === 6 ? {} : { otp: t('codeMissing') }) })) change.mutate();
  };
  return (
    <>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap={2.5}>
          <PhoneField
            label={t('newPhone')}
            value={digits}
            error={faults.phone_no}
            onChange={(next) => {
              setDigits(next);
              clear('phone_no');
            }}
            action={
              <TextButton onClick={askForCode} disabled={wait > 0 || send.isPending}>
                <span className={css.oneLine}>
                  {wait > 0 ? t('resendIn', { seconds: wait }) : t('sendCode')}
                </span>
              </TextButton>
            }
          />
          <OtpField
            ref={otpField}
            label={t('code')}
            hint={t('codeHint')}
            value={otp}
            error={faults.otp}
            onChange={(code) => {
              setOtp(code);
              clear('otp');
            }}
          />
          <Row justify="flex-end">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="submit" variant="primary" loading={change.isPending}>
              {t('confirmPhone')}
            </Button>
          </Row>
        </Stack>
      </form>
      {dialog}
    </>
  );
}
