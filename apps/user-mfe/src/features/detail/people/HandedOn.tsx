import { call, toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { invitationsRoutes, type OpenInvitation } from '@karaar/contracts/documents/invitations';
import { useTexts } from '@karaar/i18n';
import { Banner, Button, Row, Stack, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentKeys } from '../../../shared/queries.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type HandedOnProps = { document: Document; onManage: () => void };

/** Invited people who do not sign themselves: the creator invites the person they name instead, or keeps them. */
export default function HandedOn({ document, onManage }: HandedOnProps) {
  return (document.open_invitations ?? [])
    .filter(({ handed_on }) => handed_on)
    .map((invitation) => (
      <OneHandedOn
        key={invitation._id}
        documentId={document.document_id}
        invitation={invitation}
        onManage={onManage}
      />
    ));
}

function OneHandedOn({
  documentId: id,
  invitation,
  onManage,
}: {
  documentId: string;
  invitation: OpenInvitation;
  onManage: () => void;
}) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const { name = null, contact = null } = invitation.handed_on ?? {};
  const settled = (done: string, own: string) => ({
    onSuccess: async () => {
      toast.success(done);
      await queries.invalidateQueries({ queryKey: documentKeys.all });
    },
    onError: (error: unknown) => toast.error(toastText(error, own)),
  });
  const invite = useMutation({
    mutationFn: (instead: string) =>
      call(invitationsRoutes.inviteContact, {
        params: { id },
        body: { contact: instead, in_place_of: invitation._id },
      }),
    ...settled(t('invitationSent'), t('addFailed')),
  });
  const keep = useMutation({
    mutationFn: () => call(invitationsRoutes.keepInvited, { params: { id, invitationId: invitation._id } }),
    ...settled(t('handedOnKept'), t('invitationFailed')),
  });
  const hint = invitation.hint || t('invitee');
  const who = [name, contact].filter(Boolean).join(', ');
  return (
    <Banner tone="waiting">
      <Stack gap={1.5}>
        <span dir="auto">{who ? t('handedOnTo', { hint, who }) : t('handedOn', { hint })}</span>
        <Row>
          {contact === null ? (
            <Button compact icon="people" onClick={onManage}>
              {t('handedOnOther')}
            </Button>
          ) : (
            <Button compact icon="plus" onClick={() => invite.mutate(contact)} loading={invite.isPending}>
              {t('handedOnInvite', { contact })}
            </Button>
          )}
          <Button compact variant="quiet" onClick={() => keep.mutate()} loading={keep.isPending}>
            {t('handedOnKeep')}
          </Button>
        </Row>
      </Stack>
    </Banner>
  );
}
