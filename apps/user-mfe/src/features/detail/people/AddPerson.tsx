import { answerText, call, serverClock, toastText } from '@karaar/api-client';
import { dayInIndia, isAnswerBy } from '@karaar/contracts/answer-by';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { invitationsRoutes } from '@karaar/contracts/documents/invitations';
import type { Language } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { Button, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { isContact } from '../../../shared/contact.ts';
import { documentKeys } from '../../../shared/queries.ts';
import AnswerByField from '../../answer-by/AnswerByField.tsx';
import { NoticeLanguageField } from '../../create/form/DetailsFields.tsx';
import { InviteFields, type InviteBy } from '../../create/people/InviteFields.tsx';
import { dashboardTexts } from '../../../shared/catalogs/dashboard/texts.ts';
import css from '../detail.module.css';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** Invites another person: by user ID, phone number or e-mail address. */
export function AddPerson({ documentId: id }: { documentId: string }) {
  const t = useTexts(detailTexts);
  const sayDate = useTexts(dashboardTexts);
  const queries = useQueryClient();
  const [by, setBy] = useState<InviteBy>('id');
  const [charId, setCharId] = useState('');
  const [contact, setContact] = useState('');
  const [fault, setFault] = useState<string>();
  const [language, setLanguage] = useState<Language | ''>('');
  const [answerBy, setAnswerBy] = useState('');
  const [isDayWrong, setIsDayWrong] = useState(false);
  const add = useMutation({
    mutationFn: async () => {
      const deadline = answerBy ? { answer_by: answerBy } : {};
      if (by === 'contact') {
        const body = { contact, ...(language ? { language } : {}), ...deadline };
        await call(invitationsRoutes.inviteContact, { params: { id }, body });
        return t('invitationSent');
      }
      const chosen = { ...(language ? { notice_language: language } : {}), ...deadline };
      const body = { target_user_char_id: charId, ...chosen };
      const { message } = await call(documentsRoutes.addUser, { params: { id }, body });
      return answerText(message, t('userAdded'));
    },
    onSuccess: async (message) => {
      toast.success(message);
      setCharId('');
      setContact('');
      setAnswerBy('');
      await queries.invalidateQueries({ queryKey: documentKeys.all });
    },
    onError: (error) => toast.error(toastText(error, t('addFailed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (by === 'contact' && !isContact(contact)) return setFault(t('contactWrong'));
    if (by === 'id' && !charId) return toast.error(t('idMissing'));
    if (answerBy && !isAnswerBy(answerBy, dayInIndia(serverClock.date()))) return setIsDayWrong(true);
    add.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className={css.addUser}>
        <InviteFields
          by={by}
          onBy={setBy}
          id={{ label: t('addUser'), error: undefined, value: charId, onChange: setCharId }}
          contact={{
            error: fault,
            value: contact,
            onChange: (next) => {
              setContact(next);
              setFault(undefined);
            },
          }}
        />
        <NoticeLanguageField language={language} onLanguage={setLanguage} />
        <AnswerByField
          value={answerBy}
          error={isDayWrong ? sayDate('answerByWrong') : undefined}
          onChange={(day) => {
            setAnswerBy(day);
            setIsDayWrong(false);
          }}
        />
        <Button type="submit" icon="plus" loading={add.isPending}>
          {t(by === 'contact' ? 'invite' : 'add')}
        </Button>
      </div>
    </form>
  );
}
