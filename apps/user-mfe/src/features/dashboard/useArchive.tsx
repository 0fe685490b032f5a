import { answerText, call, toastText } from '@karaar/api-client';
import { archiveRoutes } from '@karaar/contracts/documents/archive';
import { useTexts } from '@karaar/i18n';
import { TextButton, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import { documentKeys } from '../../shared/queries.ts';

/** Milliseconds for which "Undo" is offered. */
const UNDO_MS = 10_000;

/**
 * Archives a document in the user's own list, with an undo, and restores it.
 * @param onMove is called before the list changes
 */
export function useArchive(onMove: (id: string) => void) {
  const t = useTexts(dashboardTexts);
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: documentKeys.all });
  const restore = useMutation({
    mutationFn: (id: string) => call(archiveRoutes.restore, { params: { id } }),
    onSuccess: async ({ message }, id) => {
      onMove(id);
      toast.success(answerText(message, t('restored')));
      await refresh();
    },
    onError: (error) => toast.error(toastText(error, t('restoreFailed'))),
  });
  const archive = useMutation({
    mutationFn: (id: string) => call(archiveRoutes.archive, { params: { id } }),
    onSuccess: async ({ message }, id) => {
      onMove(id);
      toast.info(
        <>
          <p>{answerText(message, t('archived'))}</p>
          <TextButton onClick={() => restore.mutate(id)}>{t('undo')}</TextButton>
        </>,
        UNDO_MS,
      );
      await refresh();
    },
    onError: (error) => toast.error(toastText(error, t('archiveFailed'))),
  });
  return { archive: archive.mutate, restore: restore.mutate };
}
