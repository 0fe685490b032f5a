import { call, toastText } from '@karaar/api-client';
import { authRoutes, type User } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, saveFile, Sheet, Skeleton, Stack, TextField, toast } from '@karaar/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { blockerMessage } from './blocker-words.ts';
import { GiveUpRest } from './GiveUpRest.tsx';
import { isConfirming, stepUpText, useStepUp } from '../step-up/useStepUp.tsx';
import { useShell } from '../../shared/useShell.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

/** Exports the user's data, or requests the deletion of the account. */
export function OwnData({ user }: { user: User }) {
  const t = useTexts(profileTexts);
  const [deleting, setDeleting] = useState(false);
  const { perform, dialog } = useStepUp();
  const take = useMutation({
    mutationFn: () => perform({ action: 'export' }, (options) => call(authRoutes.exportProfile, {}, options)),
    onSuccess: (file) => saveFile(file, `karaar-export-${user.char_id}.zip`),
    onError: (error) => toast.error(stepUpText(error, t('exportFailed'))),
  });
  return (
    <Sheet title={t('ownData')} note={t('ownDataNote')}>
      <Row>
        <Button icon="download" loading={take.isPending} onClick={() => take.mutate()}>
          {t('export')}
        </Button>
        <Button variant="reject" icon="trash" onClick={() => setDeleting(true)}>
          {t('delete')}
        </Button>
      </Row>
      <Modal
        title={t('deleteTitle')}
        opened={deleting}
        onClose={() => !isConfirming() && setDeleting(false)}
        width={520}
      >
        {deleting && <Deletion user={user} onClose={() => setDeleting(false)} />}
      </Modal>
      {dialog}
    </Sheet>
  );
}

function Deletion({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useTexts(profileTexts);
  const { signOut } = useShell();
  const { perform, dialog } = useStepUp();
  const [typed, setTyped] = useState('');
  const check = useQuery({
    queryKey: ['profile', 'deletion'],
    queryFn: ({ signal }) => call(authRoutes.deletionBlockers, {}, { signal }),
    gcTime: 0,
  });
  const remove = useMutation({
    mutationFn: () =>
      perform({ action: 'delete_account' }, (options) =>
        call(authRoutes.deleteAccount, { body: { confirm_char_id: typed } }, options),
      ),
    onSuccess: () => {
      toast.success(t('deleted'));
      void signOut();
    },
    onError: (error) => toast.error(stepUpText(error, t('deleteFailed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate();
  };
  if (check.isPending) return <Skeleton height={120} />;
  if (!check.data) return <Banner tone="rejected">{toastText(check.error, t('deleteFailed'))}</Banner>;
  const [first, ...others] = check.data.blockers;
  if (first?.code === 'wallet_rest' && first.amount !== undefined && others.length === 0) {
    return <GiveUpRest amount={first.amount} onDone={() => void check.refetch()} onClose={onClose} />;
  }
  if (first) {
    return (
      <Stack gap={2.5}>
        <Banner tone="warning">{t('deleteBlocked')}</Banner>
        <ul>
          {check.data.blockers.map((blocker) => {
            const message = blockerMessage(blocker);
            return <li key={blocker.code}>{message ? t(message) : blocker.text}</li>;
          })}
        </ul>
        <Row justify="flex-end">
          <Button onClick={onClose}>{t('close')}</Button>
        </Row>
      </Stack>
    );
  }
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap={2.5}>
          <p>{t('deleteText')}</p>
          <p>{t('deleteKept')}</p>
          <TextField
            label={t('deleteType', { code: user.char_id })}
            code
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={8}
            value={typed}
            onChange={(event) => setTyped(event.target.value.toUpperCase())}
          />
          <Row justify="flex-end">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button
              type="submit"
              variant="reject"
              disabled={typed !== user.char_id}
              loading={remove.isPending}
            >
              {t('deleteConfirm')}
            </Button>
          </Row>
        </Stack>
      </form>
      {dialog}
    </>
  );
}
