import { answerText, call, toastText } from '@karaar/api-client';
import { messagingRoutes, type ChatPerson } from '@karaar/contracts/messaging/http';
import type { ReportReason } from '@karaar/contracts/messaging/reports';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, SelectField, Stack, TextArea, toast, userName } from '@karaar/ui';
import { useState } from 'react';
import css from '../chat.module.css';
import { reportTexts } from './texts.ts';

export { reportTexts };

/** The maximum number of characters of the reporter's description. */
const DETAILS_MAX = 500;

/** Reports a user to the admins with a reason and a description. The admins see no messages. */
export default function ReportDialog({ person, onClose }: { person: ChatPerson; onClose: () => void }) {
  const t = useTexts(reportTexts);
  const [reason, setReason] = useState<ReportReason | ''>('');
  const [details, setDetails] = useState('');
  const [sending, setSending] = useState(false);
  const reasons = [
    { value: 'spam', label: t('reasonSpam') },
    { value: 'abuse', label: t('reasonAbuse') },
    { value: 'fraud', label: t('reasonFraud') },
    { value: 'impersonation', label: t('reasonImpersonation') },
    { value: 'other', label: t('reasonOther') },
  ];
  const send = async () => {
    if (reason === '') return;
    setSending(true);
    try {
      const body = { user_id: person.user_id, reason, details };
      const { message } = await call(messagingRoutes.report, { body });
      toast.success(answerText(message, t('done')));
      onClose();
    } catch (error) {
      toast.error(toastText(error, t('failed')));
      setSending(false);
    }
  };
  return (
    <Modal title={t('title', { name: userName(person.name) })} opened onClose={onClose} width={480}>
      <Stack>
        <p className="k-muted">{t('text')}</p>
        <SelectField
          label={t('reason')}
          placeholder={t('chooseReason')}
          options={reasons}
          value={reason}
          onChange={(event) => setReason(event.target.value as ReportReason | '')}
        />
        <TextArea
          label={t('details')}
          value={details}
          maxLength={DETAILS_MAX}
          rows={4}
          onChange={(event) => setDetails(event.target.value)}
        />
        <div className={css.answers}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" disabled={reason === ''} loading={sending} onClick={() => void send()}>
            {t('send')}
          </Button>
        </div>
      </Stack>
    </Modal>
  );
}
