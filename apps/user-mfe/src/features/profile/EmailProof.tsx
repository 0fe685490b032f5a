import { call, queryKeys, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, Stack, TextButton, toast } from '@karaar/ui';
import { OtpField } from '@karaar/ui/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useCode } from '../../shared/useCode.ts';
import { useCountdown } from '../../shared/useCountdown.ts';
import css from './profile.module.css';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

/** Shows that the e-mail address of the account is unproved, and proves it by a code. */
export function EmailProof({ email }: { email: string }) {
  const t = useTexts(profileTexts);
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Banner tone="waiting">
        <p>{t('emailUnproved')}</p>
        <TextButton onClick={() => setOpened(true)}>{t('proveEmail')}</TextButton>
      </Banner>
      <Modal title={t('proveEmail')} opened={opened} onClose={close} width={440}>
        {opened && <CodeForm email={email} onClose={close} />}
      </Modal>
    </>
  );
}

function CodeForm({ email, onClose }: { email: string; onClose: () => void }) {
  const t = useTexts(profileTexts);
  const queries = useQueryClient();
  const code = useCode(t('codeMissing'));
  const [wait, startWait] = useCountdown();
  const send = useMutation({
    mutationFn: () => call(authRoutes.sendEmailCode),
    onSuccess: (answer) => {
      startWait(answer.resend_after_s);
      toast.info(t('emailCodeSent'));
      code.focus();
    },
    onError: (error) => toast.error(toastText(error, t('sendFailed'))),
  });
  const prove = useMutation({
    mutationFn: () => call(authRoutes.proveEmail, { body: { otp: code.otp } }),
    onSuccess: async () => {
      toast.success(t('emailProved'));
      onClose();
      await queries.invalidateQueries({ queryKey: queryKeys.profile });
    },
    onError: (error) => code.refuse(error, toastText(error, t('emailFailed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.isWhole()) prove.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={2.5}>
        <OtpField label={t('code')} hint={t('emailCodeHint', { email })} {...code.field} />
        <TextButton onClick={() => send.mutate()} disabled={wait > 0 || send.isPending}>
          <span className={css.oneLine}>{wait > 0 ? t('resendIn', { seconds: wait }) : t('sendCode')}</span>
        </TextButton>
        <Row justify="flex-end">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" loading={prove.isPending}>
            {t('confirmEmail')}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
