import { answerText, call, serverClock, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, formatDateTime, Person, toast, useConfirm, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { documentKeys } from '../../../shared/queries.ts';
import { AnswerByButton, AnswerByDialog, type AnswerByTarget } from '../../answer-by/AnswerByDialog.tsx';
import AnswerByNote from '../../answer-by/AnswerByNote.tsx';
import css from '../detail.module.css';
import { evidenceKeys } from './evidence-words.ts';
import { ApprovalBadge, partyNote } from './InvolvedUsers.tsx';
import { PhotoNotes } from './PhotoNotes.tsx';
import { involvedParties, requestedParties, type Party } from '../../../shared/roles.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

type ManagedPeopleProps = { document: Document; canManage: boolean };

/** Pixels: large enough to recognise a face. */
const JUDGED_SIZE = 96;

/** The current users and the joiners; the creator can approve and remove them. */
export function ManagedPeople({ document, canManage }: ManagedPeopleProps) {
  const t = useTexts(detailTexts);
  const managing = useManaging(document);
  const [target, setTarget] = useState<AnswerByTarget | null>(null);
  const list = (parties: readonly Party[]) => (
    <ul className={css.people}>
      {parties.map((party) => (
        <ManagedPerson
          key={party.user_id}
          party={party}
          document={document}
          managing={canManage && party.state !== 'primary' ? managing : undefined}
          onAsk={setTarget}
        />
      ))}
    </ul>
  );
  const requests = requestedParties(document);
  return (
    <>
      {requests.length > 0 && (
        <section aria-label={t('requests')} className={css.managed}>
          <h3>{t('requests')}</h3>
          {canManage && <p className={css.requestNote}>{t('requestsNote')}</p>}
          {list(requests)}
        </section>
      )}
      <section aria-label={t('currentUsers')} className={css.managed}>
        <h3>{t('currentUsers')}</h3>
        {list(involvedParties(document))}
      </section>
      {target && (
        <AnswerByDialog documentId={document.document_id} target={target} onClose={() => setTarget(null)} />
      )}
      {managing.dialog}
    </>
  );
}

type ManagedPersonProps = {
  party: Party;
  document: Document;
  /** Undefined if the reader may not manage this person. */
  managing: Managing | undefined;
  onAsk: (target: AnswerByTarget) => void;
};

function ManagedPerson({ party, document, managing, onAsk }: ManagedPersonProps) {
  const t = useTexts(detailTexts);
  const name = userName(party.name);
  const note = [
    stateNote(party, document, t),
    ...(party.verified ? evidenceKeys(party.evidence).map((key) => t(key)) : [t('notVerified')]),
  ].join(' · ');
  return (
    <Person
      name={name}
      src={party.photo}
      face={party.photo_face}
      photoSize={party.photo && managing ? JUDGED_SIZE : undefined}
      note={
        <>
          <span>{note}</span>
          {party.answer_by && <AnswerByNote day={party.answer_by} of={name} />}
        </>
      }
      warnings={Boolean(party.photo_hints?.length) && <PhotoNotes party={party} />}
      state={<ApprovalBadge party={party} />}
      actions={managing && <PersonActions party={party} managing={managing} onAsk={onAsk} />}
    />
  );
}

type PersonActionsProps = { party: Party; managing: Managing; onAsk: (target: AnswerByTarget) => void };

function PersonActions({ party, managing, onAsk }: PersonActionsProps) {
  const t = useTexts(detailTexts);
  const { approve, remind, remove } = managing;
  const { user_id: userId, state, remindable_at: remindableAt } = party;
  const name = userName(party.name);
  return (
    <>
      {remindableAt && (
        <RemindButton
          name={name}
          from={remindableAt}
          onRemind={() => remind.mutate(userId)}
          loading={remind.isPending && remind.variables === userId}
        />
      )}
      {isAwaited(party) && (
        <AnswerByButton target={{ name, answerBy: party.answer_by, userId }} onAsk={onAsk} />
      )}
      {admissible(party) && (
        <Button
          compact
          aria-label={t('approveUserOf', { name })}
          variant={state === 'requested' ? 'primary' : 'secondary'}
          onClick={() => approve.mutate(userId)}
          loading={approve.isPending && approve.variables === userId}
        >
          {t('approveUser')}
        </Button>
      )}
      <Button
        compact
        variant="reject"
        aria-label={t('removeUserOf', { name })}
        onClick={() => void remove(party)}
      >
        {t('removeUser')}
      </Button>
    </>
  );
}

const isAwaited = ({ approved, state }: Party) => !approved && (state === 'invited' || state === 'admitted');

/** Returns true if the creator can admit the party: not parties on the document, who act for themselves. */
const admissible = ({ approved, state }: Party) => !approved && state !== 'admitted';

function stateNote(party: Party, document: Document, t: typeof detailTexts.say): string {
  const approval = document.user_approvals[party.user_id];
  const note = partyNote(party, t);
  if (party.state === 'admitted') return t('waitingToRead', { names: userName(party.name) });
  if (!approval?.approved || !approval.approved_at) return note;
  return `${note} · ${t('approvedAt', { time: formatDateTime(approval.approved_at) })}`;
}

/** A reminder by SMS, at most one a day: the button shows when the next one is possible. */
function RemindButton(props: { name: string; from: string; onRemind: () => void; loading: boolean }) {
  const t = useTexts(detailTexts);
  const later = new Date(props.from).getTime() > serverClock.now();
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

type Managing = ReturnType<typeof useManaging>;

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
