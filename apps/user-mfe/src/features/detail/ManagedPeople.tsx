import { answerText, call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, formatDateTime, Person, toast, useConfirm, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentKeys } from '../../shared/queries.ts';
import css from './detail.module.css';
import { ApprovalBadge, partyNote, photoNotes } from './InvolvedUsers.tsx';
import { involvedParties, requestedParties, type Party } from './roles.ts';
import { detailTexts } from './texts.ts';

type ManagedPeopleProps = { document: Document; canManage: boolean };

/** The current users and those who ask to join; for the creator with approve and remove. */
export function ManagedPeople({ document, canManage }: ManagedPeopleProps) {
  const t = useTexts(detailTexts);
  const { approve, remind, remove, dialog } = useManaging(document);
  const list = (parties: readonly Party[]) => (
    <ul className={css.people}>
      {parties.map((party) => {
        const name = userName(party.name);
        const manageable = canManage && party.state !== 'primary';
        const note = [
          partyNote(party, t),
          ...(party.verified ? [] : [t('notVerified')]),
          ...photoNotes(party, t),
        ].join(' · ');
        return (
          <Person
            key={party.user_id}
            name={name}
            note={note}
            state={<ApprovalBadge party={party} />}
            actions={
              manageable && (
                <>
                  {party.remindable_at && (
                    <RemindButton
                      name={name}
                      from={party.remindable_at}
                      onRemind={() => remind.mutate(party.user_id)}
                      loading={remind.isPending && remind.variables === party.user_id}
                    />
                  )}
                  {!party.approved && (
                    <Button
                      compact
                      aria-label={t('approveUserOf', { name: name })}
                      onClick={() => approve.mutate(party.user_id)}
                      loading={approve.isPending && approve.variables === party.user_id}
                    >
                      {t('approveUser')}
                    </Button>
                  )}
                  <Button
                    compact
                    variant="reject"
                    aria-label={t('removeUserOf', { name: name })}
                    onClick={() => void remove(party)}
                  >
                    {t('removeUser')}
                  </Button>
                </>
              )
            }
          />
        );
      })}
    </ul>
  );
  const requests = requestedParties(document);
  return (
    <>
      <section aria-label={t('currentUsers')} className={css.managed}>
        <h3>{t('currentUsers')}</h3>
        {list(involvedParties(document))}
      </section>
      {requests.length > 0 && (
        <section aria-label={t('requests')} className={css.managed}>
          <h3>{t('requests')}</h3>
          {list(requests)}
        </section>
      )}
      {dialog}
    </>
  );
}

/** A reminder by text message; at most one a day, so the button says when the next one is possible. */
function RemindButton(props: { name: string; from: string; onRemind: () => void; loading: boolean }) {
  const t = useTexts(detailTexts);
  const later = new Date(props.from).getTime() > Date.now();
  return (
    <Button
      compact
      variant="quiet"
      icon="clock"
      aria-label={t('remindOf', { name: props.name })}
      title={later ? t('remindFrom', { time: formatDateTime(props.from) }) : undefined}
      onClick={props.onRemind}
      disabled={later}
      loading={props.loading}
    >
      {later ? t('reminded') : t('remind')}
    </Button>
  );
}

/** What the creator does about another party. Removing asks first. */
function useManaging(document: Document) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const { ask, dialog } = useConfirm();
  const params = (userId: string) => ({ id: document.document_id, userId });
  const done = async ({ message }: { message: string }) => {
    toast.success(answerText(message, t('userManaged')));
    await queries.invalidateQueries({ queryKey: documentKeys.all });
  };
  const approve = useMutation({
    mutationFn: (userId: string) => call(documentsRoutes.approveUser, { params: params(userId) }),
    onSuccess: done,
    onError: (error) => toast.error(toastText(error, t('approveUserFailed'))),
  });
  const remind = useMutation({
    mutationFn: (userId: string) => call(documentsRoutes.remind, { params: params(userId) }),
    onSuccess: done,
    onError: (error) => toast.error(toastText(error, t('remindFailed'))),
  });
  const removal = useMutation({
    mutationFn: (userId: string) => call(documentsRoutes.removeUser, { params: params(userId) }),
    onSuccess: done,
    onError: (error) => toast.error(toastText(error, t('removeFailed'))),
  });
  const remove = async (party: Party) => {
    const agreed = await ask({
      title: t('removeTitle'),
      text: t('removeAsk', { name: userName(party.name) }),
      confirm: t('removeUser'),
      reject: true,
    });
    if (agreed) removal.mutate(party.user_id);
  };
  return { approve, remind, remove, dialog };
}
