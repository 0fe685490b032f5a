import { answerText, call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import type { Language } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Notice, Row, Stack, StatusStamp, toast } from '@karaar/ui';
import { CodeField } from '@karaar/ui/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { documentKeys } from '../../shared/queries.ts';
import { NoticeLanguageField } from '../create/DetailsFields.tsx';
import css from './detail.module.css';
import { ManagedPeople } from './ManagedPeople.tsx';
import { PaymentSummary } from './PaymentSummary.tsx';
import type { Actions } from './roles.ts';
import { detailTexts } from './texts.ts';

type ManageDialogProps = { document: Document; actions: Actions; onClose: () => void };

/** Users and payments of a document: managed by the creator, read by the others. */
export default function ManageDialog({ document, actions, onClose }: ManageDialogProps) {
  const t = useTexts(detailTexts);
  return (
    <Modal title={t('manageTitle')} opened onClose={onClose} width={640}>
      <Stack gap={3}>
        <Row gap={1.5}>
          <span className="k-muted">{t('statusIs')}</span>
          <StatusStamp status={document.status} />
        </Row>
        {actions.manage ? (
          document.status !== 'finalized' && <AddUser documentId={document.document_id} />
        ) : (
          <Notice>{t('readOnly')}</Notice>
        )}
        <ManagedPeople document={document} canManage={actions.manage && document.status !== 'finalized'} />
        <PaymentSummary document={document} actions={actions} />
      </Stack>
    </Modal>
  );
}

function AddUser({ documentId }: { documentId: string }) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const [charId, setCharId] = useState('');
  const [language, setLanguage] = useState<Language | ''>('');
  const add = useMutation({
    mutationFn: () =>
      call(documentsRoutes.addUser, {
        params: { id: documentId },
        body: { target_user_char_id: charId, ...(language ? { notice_language: language } : {}) },
      }),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('userAdded')));
      setCharId('');
      await queries.invalidateQueries({ queryKey: documentKeys.all });
    },
    onError: (error) => toast.error(toastText(error, t('addFailed'))),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!charId) return toast.error(t('idMissing'));
    add.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className={css.addUser}>
        <CodeField label={t('addUser')} value={charId} onChange={setCharId} />
        <NoticeLanguageField language={language} onLanguage={setLanguage} />
        <Button type="submit" icon="plus" loading={add.isPending}>
          {t('add')}
        </Button>
      </div>
    </form>
  );
}
