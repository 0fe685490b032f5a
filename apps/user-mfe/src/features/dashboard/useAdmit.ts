import { answerText, call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentKeys } from '../../shared/queries.ts';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

/** Admits a person who asked to join. */
export function useAdmit() {
  const t = useTexts(dashboardTexts);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, userId }: { id: string; userId: string }) =>
      call(documentsRoutes.approveUser, { params: { id, userId } }),
    onSuccess: async ({ message }) => {
      toast.success(answerText(message, t('admitted')));
      await queries.invalidateQueries({ queryKey: documentKeys.all });
    },
    onError: (error) => toast.error(toastText(error, t('admitFailed'))),
  });
}
