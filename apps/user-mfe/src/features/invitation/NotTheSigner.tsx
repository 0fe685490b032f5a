import { call, toastText } from '@karaar/api-client';
import { invitationsRoutes } from '@karaar/contracts/documents/invitations';
import { useTexts } from '@karaar/i18n';
import { Banner, Button, Stack, TextButton, TextField, toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { forgetInvitation, type PendingInvitation } from '../../shared/pending-invitation.ts';
import { ProveContact } from './ProveContact.tsx';
import { invitationTexts } from './texts.ts';

const NAME_MAX = 80;
const CONTACT_MAX = 254;

type NotTheSignerProps = {
  pending: PendingInvitation;
  hint: string;
  sender: string;
  onProved: (pending: PendingInvitation) => void;
  onBack: () => void;
};

/** The invited person proves the contact, and asks the sender to invite the person who signs. */
export function NotTheSigner({ pending, hint, sender, onProved, onBack }: NotTheSignerProps) {
  const t = useTexts(invitationTexts);
  const [name, setName] = useState('');
  const [contact, setContact] = useState('');
  const { token, proof } = pending;
  const tell = useMutation({
    mutationFn: (proved: string) =>
      call(invitationsRoutes.handOn, {
        body: { token, proof: proved, ...(name ? { name } : {}), ...(contact ? { contact } : {}) },
      }),
    onSuccess: forgetInvitation,
    onError: (error) => toast.error(toastText(error, t('notMeFailed'))),
  });
  if (tell.isSuccess) return <Banner tone="verified">{t('notMeDone')}</Banner>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (proof !== undefined) tell.mutate(proof);
  };
  return (
    <Stack gap={2}>
      <p>{t('notMeLead', { name: sender })}</p>
      {proof === undefined ? (
        <ProveContact token={token} hint={hint} note={t('notMeCode')} entering={false} onProved={onProved} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap={2}>
            <TextField
              label={t('rightName')}
              required={false}
              maxLength={NAME_MAX}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <TextField
              label={t('rightContact')}
              hint={t('rightContactHint')}
              required={false}
              maxLength={CONTACT_MAX}
              value={contact}
              onChange={(event) => setContact(event.target.value)}
            />
            <Button type="submit" variant="primary" wide loading={tell.isPending}>
              {t('notMeSend')}
            </Button>
          </Stack>
        </form>
      )}
      <TextButton onClick={onBack}>{t('notMeBack')}</TextButton>
    </Stack>
  );
}
