import { call, serverClock, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Button, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentKeys } from '../../../shared/queries.ts';
import { remindable } from './remindable.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** Reminds every awaited person without a reminder in the last day. */
export default function RemindAll({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const waiting = remindable(document, serverClock.now());
  const remind = useMutation({
    mutationFn: () =>
      Promise.all(
        waiting.map(({ user_id: userId }) =>
          call(documentsRoutes.remind, { params: { id: document.document_id, userId } }),
        ),
      ),
    onSuccess: () => toast.success(t('reminded')),
    onError: (error) => toast.error(toastText(error, t('remindFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: documentKeys.all }),
  });
  if (waiting.length === 0) return null;
  return (
    <Button icon="clock" onClick={() => remind.mutate()} loading={remind.isPending}>
      {t('remind')}
    </Button>
  );
}
