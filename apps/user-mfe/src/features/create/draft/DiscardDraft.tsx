import { call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, toast, useConfirm } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { documentKeys } from '../../../shared/queries.ts';
import { createTexts } from '../texts.ts';

type DiscardDraftProps = { id: string; disabled: boolean; onDiscarded: () => void };

/** Deletes a draft with its files, after a confirmation. */
export default function DiscardDraft({ id, disabled, onDiscarded }: DiscardDraftProps) {
  const t = useTexts(createTexts);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { ask, dialog } = useConfirm();
  const discard = useMutation({
    mutationFn: () => call(documentsRoutes.deleteDraft, { params: { id } }),
    onSuccess: async () => {
      toast.success(t('draftDiscarded'));
      onDiscarded();
      void navigate('/dashboard', { replace: true });
      queries.removeQueries({ queryKey: documentKeys.one(id) });
      await queries.invalidateQueries({ queryKey: documentKeys.all });
    },
    onError: (error) => toast.error(toastText(error, t('discardFailed'))),
  });
  const start = async () => {
    const agreed = await ask({
      title: t('discardDraft'),
      text: t('discardAsk'),
      confirm: t('discardDraft'),
      reject: true,
    });
    if (agreed) discard.mutate();
  };
  return (
    <>
      <Button
        variant="quiet"
        icon="trash"
        onClick={() => void start()}
        disabled={disabled}
        loading={discard.isPending}
      >
        {t('discardDraft')}
      </Button>
      {dialog}
    </>
  );
}
