import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { Button, Person, toast, useConfirm, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentKeys } from '../../shared/queries.ts';
import css from './detail.module.css';
import { ApprovalBadge, partyNote } from './InvolvedUsers.tsx';
import { involvedParties, requestedParties, type Party } from './roles.ts';
import { detailTexts as texts } from './texts.ts';

type ManagedPeopleProps = { document: Document; canManage: boolean };

/** The current users and those who ask to join; for the creator with approve and remove. */
export function ManagedPeople({ document, canManage }: ManagedPeopleProps) {
  const { approve, remove, dialog } = useManaging(document);
  const list = (parties: readonly Party[]) => (
    <ul className={css.people}>
      {parties.map((party) => {
        const name = userName(party.name);
        const manageable = canManage && party.state !== 'primary';
        const note = party.verified ? partyNote(party) : `${partyNote(party)} · ${texts.notVerified}`;
        return (
          <Person
            key={party.user_id}
            name={name}
            note={note}
            state={<ApprovalBadge approved={party.approved} />}
            actions={
              manageable && (
                <>
                  {!party.approved && (
                    <Button
                      compact
                      aria-label={texts.approveUserOf(name)}
                      onClick={() => approve.mutate(party.user_id)}
                      loading={approve.isPending && approve.variables === party.user_id}
                    >
                      {texts.approveUser}
                    </Button>
                  )}
                  <Button
                    compact
                    variant="reject"
                    aria-label={texts.removeUserOf(name)}
                    onClick={() => void remove(party)}
                  >
                    {texts.removeUser}
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
      <section aria-label={texts.currentUsers}>
        <h3>{texts.currentUsers}</h3>
        {list(involvedParties(document))}
      </section>
      {requests.length > 0 && (
        <section aria-label={texts.requests}>
          <h3>{texts.requests}</h3>
          {list(requests)}
        </section>
      )}
      {dialog}
    </>
  );
}

/** The creator's two decisions on another party. Removing asks first. */
function useManaging(document: Document) {
  const queries = useQueryClient();
  const { ask, dialog } = useConfirm();
  const params = (userId: string) => ({ id: document.document_id, userId });
  const done = async ({ message }: { message: string }) => {
    toast.success(message);
    await queries.invalidateQueries({ queryKey: documentKeys.all });
  };
  const approve = useMutation({
    mutationFn: (userId: string) => call(documentsRoutes.approveUser, { params: params(userId) }),
    onSuccess: done,
    onError: (error) => toast.error(toastText(error, texts.approveUserFailed)),
  });
  const removal = useMutation({
    mutationFn: (userId: string) => call(documentsRoutes.removeUser, { params: params(userId) }),
    onSuccess: done,
    onError: (error) => toast.error(toastText(error, texts.removeFailed)),
  });
  const remove = async (party: Party) => {
    const agreed = await ask({
      title: texts.removeTitle,
      text: texts.removeAsk(userName(party.name)),
      confirm: texts.removeUser,
      reject: true,
    });
    if (agreed) removal.mutate(party.user_id);
  };
  return { approve, remove, dialog };
}
