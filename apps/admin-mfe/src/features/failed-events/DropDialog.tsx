import { call, toastText } from '@karaar/api-client';
import { deadLetterRoutes, type DeadLetter } from '@karaar/contracts/auth/dead-letters-http';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import { failedEventsTexts } from './texts.ts';

/** Drops a failed event permanently, with a reason. */
export function DropDialog({ letter, onClose }: { letter: DeadLetter; onClose: () => void }) {
  const t = useTexts(failedEventsTexts);
  const queries = useQueryClient();
  const { service, handler, event_id } = letter;
  const drop = useMutation({
    mutationFn: (reason: string) =>
      call(deadLetterRoutes.dropDeadLetter, { params: { service }, body: { handler, event_id, reason } }),
    onSuccess: () => {
      toast.success(t('dropped'));
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('dropFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'failed-events'] }),
  });
  return (
    <ReasonDialog
      title={t('dropTitle')}
      text={t('dropText', { service })}
      confirm={t('dropConfirm')}
      reject
      busy={drop.isPending}
      onConfirm={(reason) => drop.mutate(reason)}
      onClose={onClose}
    />
  );
}
