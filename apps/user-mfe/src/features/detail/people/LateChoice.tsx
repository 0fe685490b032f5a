import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dashboardTexts } from '../../../shared/catalogs/dashboard/texts.ts';
import { documentKeys } from '../../../shared/queries.ts';
import { LateField } from '../../answer-by/LateField.tsx';
import css from '../detail.module.css';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

/** Sets whether Karaar cancels the document after an answer-by date that passes without the answer. */
export function LateChoice({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const words = useTexts(dashboardTexts);
  const queries = useQueryClient();
  const choose = useMutation({
    mutationFn: (cancel_late: boolean) =>
      call(documentsRoutes.chooseCancelLate, { params: { id: document.document_id }, body: { cancel_late } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: documentKeys.all }),
    onError: (error) => toast.error(toastText(error, t('lateFailed'))),
  });
  const cancels = choose.isPending ? choose.variables : document.cancel_late === true;
  return (
    <section aria-label={words('lateTitle')} className={css.managed}>
      <h3>{words('lateTitle')}</h3>
      <LateField cancels={cancels} onChange={choose.mutate} />
    </section>
  );
}
