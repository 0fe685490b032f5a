import { answerText, call, serverClock, toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import { invitationsRoutes, type OpenInvitation } from '@karaar/contracts/documents/invitations';
import { useTexts } from '@karaar/i18n';
import { Badge, Button, copyText, formatDate, formatDateTime, Person, toast, useConfirm } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { documentKeys } from '../../../shared/queries.ts';
import { AnswerByButton, AnswerByDialog, type AnswerByTarget } from '../../answer-by/AnswerByDialog.tsx';
import AnswerByNote from '../../answer-by/AnswerByNote.tsx';
import css from '../detail.module.css';
import { smsWords } from './delivery-words.ts';
import { Hint } from './Hint.tsx';
import { shareOrCopy } from '../share.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

const SENDING = {
  none: 'inviteUnsent',
  queued: 'inviteQueued',
  sent: 'inviteSent',
  unconfirmed: 'inviteUnconfirmed',
  failed: 'inviteFailed',
  skipped: 'inviteSkipped',
} as const;

/** Open invitations to a number or an address; the creator resends, shares or withdraws them. */
export function OpenInvitations({ document, canManage }: { document: Document; canManage: boolean }) {
  const t = useTexts(detailTexts);
  const acts = useInvitations(document);
  const [target, setTarget] = useState<AnswerByTarget | null>(null);
  const open = document.open_invitations ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-label={t('openInvitations')} className={css.managed}>
      <h3>{t('openInvitations')}</h3>
      <ul className={css.people}>
        {open.map((invitation) => (
          <Person
            key={invitation._id}
            name={t('invitee')}
            note={
              <>
                <Hint text={[invitation.hint, noteOf(invitation, t)].filter(Boolean).join(' · ')} />
                {invitation.answer_by && (
                  <AnswerByNote day={invitation.answer_by} of={nameOf(invitation, t)} />
                )}
              </>
            }
            state={<Badge tone="waiting">{t('pending')}</Badge>}
            actions={canManage && <InvitationActions invitation={invitation} acts={acts} onAsk={setTarget} />}
          />
        ))}
      </ul>
      {target && (
        <AnswerByDialog documentId={document.document_id} target={target} onClose={() => setTarget(null)} />
      )}
      {acts.dialog}
    </section>
  );
}

type InvitationActionsProps = {
  invitation: OpenInvitation;
  acts: Acts;
  onAsk: (target: AnswerByTarget) => void;
};

function InvitationActions({ invitation, acts, onAsk }: InvitationActionsProps) {
  const t = useTexts(detailTexts);
  const hint = nameOf(invitation, t);
  return (
    <>
      <AnswerByButton
        target={{ name: hint, answerBy: invitation.answer_by, invitationId: invitation._id }}
        onAsk={onAsk}
      />
      {invitation.hint && <SendingActions invitation={invitation} acts={acts} />}
      <Button
        compact
        variant="reject"
        aria-label={t('withdrawInvitationOf', { hint })}
        onClick={() => void acts.withdraw(invitation)}
      >
        {t('withdrawInvitation')}
      </Button>
    </>
  );
}

function SendingActions({ invitation, acts }: { invitation: OpenInvitation; acts: Acts }) {
  const t = useTexts(detailTexts);
  const { resend, share } = acts;
  const hint = nameOf(invitation, t);
  const sendableAt = invitation.sendable_at ?? '';
  const later = new Date(sendableAt || 0).getTime() > serverClock.now();
  return (
    <>
      <Button
        compact
        icon="link"
        aria-label={t('shareLinkOf', { hint })}
        onClick={() => share.mutate({ invitation, by: 'sheet' })}
        loading={share.isPending && share.variables.invitation._id === invitation._id}
      >
        {t('shareLink')}
      </Button>
      <Button
        compact
        variant="quiet"
        icon="chat"
        aria-label={t('whatsAppOf', { hint })}
        onClick={() => share.mutate({ invitation, by: 'whatsapp' })}
      >
        {t('whatsApp')}
      </Button>
      <Button
        compact
        variant="quiet"
        icon="clock"
        aria-label={t('sendAgainTo', { hint })}
        title={later ? t('sendAgainFrom', { time: formatDateTime(sendableAt) }) : undefined}
        disabled={later && !invitation.expired}
        onClick={() => resend.mutate(invitation._id)}
        loading={resend.isPending && resend.variables === invitation._id}
      >
        {t('sendAgain')}
      </Button>
    </>
  );
}

const nameOf = ({ hint }: OpenInvitation, t: typeof detailTexts.say): string => hint || t('invitee');

function noteOf(invitation: OpenInvitation, t: typeof detailTexts.say): string {
  if (invitation.expired) return t('inviteExpired');
  const until = t('inviteUntil', { day: formatDate(invitation.expires_at) });
  const { text_message: sms, sending } = invitation;
  return `${sms ? t(smsWords(sms, serverClock.date())) : t(SENDING[sending])} · ${until}`;
}

type Sharing = { invitation: OpenInvitation; by: 'sheet' | 'whatsapp' };

type Acts = ReturnType<typeof useInvitations>;

function useInvitations({ document_id: id, name }: Document) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const { ask, dialog } = useConfirm();
  const refresh = () => queries.invalidateQueries({ queryKey: documentKeys.all });
  const failed = (error: unknown) => toast.error(toastText(error, t('invitationFailed')));
  const params = (invitationId: string) => ({ id, invitationId });
  const resend = useMutation({
    mutationFn: (invitationId: string) =>
      call(invitationsRoutes.resendInvitation, { params: params(invitationId) }),
    onSuccess: async () => {
      toast.success(t('invitationSent'));
      await refresh();
    },
    onError: failed,
  });
  const share = useMutation({
    mutationFn: async ({ invitation, by }: Sharing) => {
      const { link } = await call(invitationsRoutes.linkInvitation, { params: params(invitation._id) });
      const text = t('whatsAppText', { link });
      if (by === 'whatsapp') {
        window.open(`https://wa.me/?text=${encodeURIComponent(text)}`, '_blank', 'noopener');
        return;
      }
      if ((await shareOrCopy({ title: name, url: link }, copyText)) === 'copied')
        toast.success(t('linkCopied', { hint: nameOf(invitation, t) }));
    },
    onError: failed,
  });
  const withdrawal = useMutation({
    mutationFn: (invitationId: string) =>
      call(invitationsRoutes.withdrawInvitation, { params: params(invitationId) }),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('invitationWithdrawn')));
      await refresh();
    },
    onError: failed,
  });
  const withdraw = async (invitation: OpenInvitation) => {
    const agreed = await ask({
      title: t('withdrawInvitation'),
      text: t('withdrawInvitationAsk', { hint: nameOf(invitation, t) }),
      confirm: t('withdrawInvitation'),
      reject: true,
    });
    if (agreed) withdrawal.mutate(invitation._id);
  };
  return { resend, share, withdraw, dialog };
}
