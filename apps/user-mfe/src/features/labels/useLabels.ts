import { call, toastText } from '@karaar/api-client';
import { labelsRoutes } from '@karaar/contracts/documents/labels';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import { documentKeys } from '../../shared/queries.ts';

/** The user's own labels, with the number of documents of each. */
export const labelsQuery = queryOptions({
  queryKey: documentKeys.labels,
  queryFn: ({ signal }) => call(labelsRoutes.labels, {}, { signal }),
});

/** Changes labels; lists and pages then show the change. */
export function useLabelChange<Change>(
  change: (next: Change) => Promise<unknown>,
  onDone?: (next: Change) => void,
) {
  const t = useTexts(dashboardTexts);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (_, next) => {
      onDone?.(next);
      await queries.invalidateQueries({ queryKey: documentKeys.all });
    },
    onError: (error) => toast.error(toastText(error, t('labelsFailed'))),
  });
}
