import { call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import type { AccountAct } from '@karaar/contracts/step-up';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, Stack, TextButton, toast } from '@karaar/ui';
import { OtpField } from '@karaar/ui/fields';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { phoneText } from '../../shared/phone-text.ts';
import { useCode } from '../../shared/useCode.ts';
import { useCountdown } from '../../shared/useCountdown.ts';
import { useUser } from '../../shared/useShell.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';
import { AskedAct } from './AskedAct.tsx';

type OwnNumberDialogProps = {
  act: AccountAct;
  onConfirmed: () => void;
  /** Called if the user lost the number; if absent, the act cannot be done without it. */
  onLost?: (() => void) | undefined;
  onCancel: () => void;
};

/** Confirms an act by a code to the account's present number, or lets the user report the number as lost. */
export default function OwnNumberDialog({ act, onConfirmed, onLost, onCancel }: OwnNumberDialogProps) {
  const t = useTexts(profileTexts);
  const phone = phoneText(useUser().phone_no);
  const code = useCode(t('codeMissing'));
  const [lost, setLost] = useState(false);
  const [wait, startWait] = useCountdown();
  const send = useMutation({
    mutationFn: () => call(authRoutes.beginStepUp, { body: { act } }),
    onSuccess: (answer) => {
      startWait(answer.resend_after_s);
      toast.info(t('ownNumberSent'));
      code.focus();
    },
    onError: (error) => toast.error(toastText(error, t('sendFailed'))),
  });
  const confirm = useMutation({
    mutationFn: () => call(authRoutes.finishStepUp, { body: { act, otp: code.otp } }),
    onSuccess: onConfirmed,
    onError: (error) => code.refuse(error, toastText(error, t('stepUpFailed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.isWhole()) confirm.mutate();
  };
  return (
    <Modal title={t('ownNumberTitle')} opened onClose={onCancel} width={460} dismissible="escape">
      {lost ? (
        <Stack gap={2}>
          <AskedAct act={act} name="" />
          <Banner tone="warning">{t('numberLostText', { phone })}</Banner>
          <Row justify="flex-end">
            <Button onClick={onCancel}>{t('cancel')}</Button>
            <Button variant="primary" icon="clock" onClick={onLost}>
              {t('numberLostConfirm')}
            </Button>
          </Row>
        </Stack>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap={2}>
            <AskedAct act={act} name="" />
            <OtpField label={t('ownNumberCode')} hint={t('ownNumberHint', { phone })} {...code.field} />
            <Row>
              <TextButton onClick={() => send.mutate()} disabled={wait > 0 || send.isPending}>
                {wait > 0 ? t('resendIn', { seconds: wait }) : t('ownNumberSend')}
              </TextButton>
              {onLost && <TextButton onClick={() => setLost(true)}>{t('numberLost')}</TextButton>}
            </Row>
            <Row justify="flex-end">
              <Button onClick={onCancel}>{t('cancel')}</Button>
              <Button type="submit" variant="primary" loading={confirm.isPending}>
                {t('stepUpConfirm')}
              </Button>
            </Row>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
