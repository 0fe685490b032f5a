import { call, toastText } from '@karaar/api-client';
import { invitationsRoutes } from '@karaar/contracts/documents/invitations';
import { useTexts } from '@karaar/i18n';
import { Button, Banner, Sheet, Skeleton, Stack, toast } from '@karaar/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useTitle } from '../../shared/useTitle.ts';
import css from './invitation.module.css';
import { invitationTexts } from './texts.ts';

/** Lets the receiver of an invitation message stop further ones, or allow them again, without an account. */
export default function StopInvitations() {
  const t = useTexts(invitationTexts);
  useTitle(t('stopTitle'));
  const { hash } = useLocation();
  const [token] = useState(() => hash.slice(1));
  const queries = useQueryClient();
  const queryKey = ['invitation-stop', token];
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(invitationsRoutes.lookUpStop, { body: { token } }, { signal }),
    enabled: token !== '',
    retry: false,
  });
  const choose = useMutation({
    mutationFn: (stop: 'nobody' | 'sender' | 'everyone') =>
      call(invitationsRoutes.stopInvitations, { body: { token, stop } }),
    onSuccess: (state) => queries.setQueryData(queryKey, state),
    onError: (error) => toast.error(toastText(error, t('stopFailed'))),
  });
  if (token === '') return <Banner tone="rejected">{t('stopNotWhole')}</Banner>;
  if (found.isError) return <Banner tone="rejected">{toastText(found.error, t('stopNotWhole'))}</Banner>;
  if (!found.data) return <Skeleton height={220} />;
  const { channel, inviter_char_id: id, stop } = found.data;
  const from = t(channel === 'phone' ? 'stopFromPhone' : 'stopFromEmail', { id });
  return (
    <div className={css.page}>
      <Sheet title={t('stopTitle')}>
        <Stack gap={2}>
          <p>{id === '' ? t('stopFromGone') : from}</p>
          {stop === 'nobody' ? (
            <>
              <p className="k-muted">{t('stopNote')}</p>
              <Button
                variant="primary"
                wide
                onClick={() => choose.mutate('everyone')}
                disabled={choose.isPending}
              >
                {t('stopEveryone')}
              </Button>
              {id !== '' && (
                <Button wide onClick={() => choose.mutate('sender')} disabled={choose.isPending}>
                  {t('stopSender')}
                </Button>
              )}
            </>
          ) : (
            <>
              <Banner>{t(stop === 'everyone' ? 'stopDoneEveryone' : 'stopDoneSender')}</Banner>
              <Button wide onClick={() => choose.mutate('nobody')} loading={choose.isPending}>
                {t('stopUndo')}
              </Button>
            </>
          )}
        </Stack>
      </Sheet>
    </div>
  );
}
