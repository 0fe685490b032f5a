import { call, toastText } from '@karaar/api-client';
import { reportRoutes, type Report } from '@karaar/contracts/messaging/reports';
import { useTexts } from '@karaar/i18n';
import { toast, userName } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { ReasonDialog } from '../../shared/ReasonDialog.tsx';
import { reportsTexts } from './texts.ts';

/** Closes a report, with a note about the outcome. */
export function CloseReport({ report, onClose }: { report: Report; onClose: () => void }) {
  const t = useTexts(reportsTexts);
  const queries = useQueryClient();
  const name = userName(report.reported.name);
  const close = useMutation({
    mutationFn: (note: string) =>
      call(reportRoutes.resolveReport, { params: { id: report._id }, body: { note } }),
    onSuccess: (closed, note) => {
      void queries.invalidateQueries({ queryKey: [ADMIN_KEY, 'reports'] });
      // Another admin may have closed it first: a second note changes nothing.
      if (closed.note === note) toast.success(t('closedDone', { name }));
      else toast.info(t('closedBefore'));
      onClose();
    },
    onError: (error) => toast.error(toastText(error, t('closeFailed'))),
  });
  return (
    <ReasonDialog
      title={t('closeTitle', { name })}
      text={t('closeText')}
      label={t('note')}
      confirm={t('close')}
      busy={close.isPending}
      onConfirm={(note) => close.mutate(note)}
      onClose={onClose}
    />
  );
}
