import { call, toastText } from '@karaar/api-client';
import { paymentsRoutes, type AdminPayment } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import { CodeText, ErrorState, formatDateTime, money, Sheet, StatusStamp, userName } from '@karaar/ui';
import { TableSkeleton } from '@karaar/ui/skeletons';
import { DataTable, type Column } from '@karaar/ui/tables';
import { useQuery } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import css from '../../shared/shared.module.css';
import { documentsTexts } from './texts.ts';

/** The payments for a document, with failed attempts. */
export function DocumentPayments({ documentId }: { documentId: string }) {
  const t = useTexts(documentsTexts);
  const payments = useQuery({
    queryKey: [ADMIN_KEY, 'payments', 'of', documentId],
    queryFn: ({ signal }) =>
      call(paymentsRoutes.adminPaymentsPage, { query: { document_id: documentId, limit: 200 } }, { signal }),
  });
  const columns: Column<AdminPayment>[] = [
    { key: 'who', header: t('payer'), title: true, cell: ({ user_name }) => userName(user_name) },
    { key: 'amount', header: t('amount'), align: 'end', cell: ({ amount }) => money(amount) },
    { key: 'status', header: t('status'), cell: ({ status }) => <StatusStamp status={status} /> },
    {
      key: 'at',
      header: t('created'),
      cell: ({ created_at }) => <span className="k-num">{formatDateTime(created_at)}</span>,
    },
    {
      key: 'id',
      header: t('paymentId'),
      cell: ({ payment_id }) =>
        payment_id ? <CodeText code={payment_id} label={t('paymentId')} short /> : '–',
    },
  ];
  const rows = payments.data?.items ?? [];
  return (
    <Sheet title={t('payments')} flush>
      {payments.isPending && <TableSkeleton label={t('payments')} rows={2} />}
      {payments.isError && (
        <ErrorState
          title={toastText(payments.error, t('paymentsFailed'))}
          onRetry={() => void payments.refetch()}
          retrying={payments.isFetching}
        />
      )}
      {rows.length > 0 && (
        <DataTable caption={t('payments')} columns={columns} rows={rows} rowKey={({ _id }) => _id} />
      )}
      {payments.data && rows.length === 0 && <p className={`k-muted ${css.empty}`}>{t('noPayments')}</p>}
    </Sheet>
  );
}
