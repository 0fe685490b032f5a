import { ApiError, call, toastText } from '@karaar/api-client';
import { invitationsRoutes } from '@karaar/contracts/documents/invitations';
import { useTexts } from '@karaar/i18n';
import { Button, Banner, ProgressBar, Stack } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { forgetInvitation, type PendingInvitation } from '../../shared/pending-invitation.ts';
import { documentKeys } from '../../shared/queries.ts';
import { useShell } from '../../shared/useShell.ts';
import { invitationTexts } from './texts.ts';

/**
 * A signed-in person joins the document of the link and is taken there.
 * @param props.byItself without a press: the person has just proved the contact
 */
export function Opening({ pending, byItself }: { pending: PendingInvitation; byItself: boolean }) {
  const t = useTexts(invitationTexts);
  const { user, signOut } = useShell();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const join = useMutation({
    mutationFn: () =>
      call(invitationsRoutes.acceptInvitation, {
        body: { token: pending.token, ...(pending.proof ? { proof: pending.proof } : {}) },
      }),
    onSuccess: async ({ document_id }) => {
      forgetInvitation();
      await queries.invalidateQueries({ queryKey: documentKeys.all });
      void navigate(`/document/${document_id}`, { replace: true });
    },
  });
  const start = useEffectEvent(() => {
    if (byItself) join.mutate();
  });
  useEffect(() => start(), []);
  const leave = async () => {
    await signOut();
    void navigate('/invitation');
  };
  if (join.error) {
    const isAnother = join.error instanceof ApiError && join.error.code === 'invitation_for_another';
    return (
      <Stack gap={1.5}>
        <Banner tone="rejected">
          {isAnother && !pending.proof
            ? t('another', { name: user?.name ?? '' })
            : toastText(join.error, t('failed'))}
        </Banner>
        {isAnother && (
          <Button wide onClick={() => void leave()}>
            {t('signOut')}
          </Button>
        )}
      </Stack>
    );
  }
  if (byItself) return <ProgressBar label={t('opening')} />;
  return (
    <Button variant="primary" wide onClick={() => join.mutate()} loading={join.isPending}>
      {t('open')}
    </Button>
  );
}
