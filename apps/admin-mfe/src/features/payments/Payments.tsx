import { call, toastText, type Input } from '@karaar/api-client';
import { paymentsRoutes, PAYMENT_TYPES, type AdminPayment } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import {
  Button,
  CodeText,
  ErrorState,
  formatDateTime,
  money,
  StatusStamp,
  statusText,
  userName,
} from '@karaar/ui';
import type { Column } from '@karaar/ui/tables';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { CountCards } from '../../shared/CountCards.tsx';
import { ListScreen } from '../../shared/ListScreen.tsx';
import css from '../../shared/shared.module.css';
import { useFilters } from '../../shared/useFilters.ts';
import { paymentTotalsQuery } from './queries.ts';
import { RefundDialog } from './RefundDialog.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';
import { paymentsTexts } from './texts.ts';
import { WaitingReversals } from './WaitingReversals.tsx';

const KEYS = ['search', 'type', 'status', 'from', 'to', 'sort'] as const;
const STATUSES = ['completed', 'pending', 'failed', 'reversed'] as const;
const typeTexts = { document: 'typeDocument', top_up: 'typeTopUp', refund: 'typeRefund' } as const;
/** The address may contain invalid values; the service checks them. */
type Query = NonNullable<Input<typeof paymentsRoutes.adminPaymentsPage>['query']>;

/** Every payment, from wallets and by card. */
export default function Payments() {
  const t = useTexts(paymentsTexts);
  const filters = useFilters(KEYS);
  const [refund, setRefund] = useState<AdminPayment | null>(null);
  const [reversed, setReversed] = useState<AdminPayment | null>(null);
  return (
    <ListScreen
      title={t('title')}
      name="payments"
      filters={filters}
      load={(query, signal) => call(paymentsRoutes.adminPaymentsPage, { query: query as Query }, { signal })}
      download={(query) => call(paymentsRoutes.adminPaymentsExport, { query: query as Query })}
      searchLabel={t('searchLabel')}
      choices={[
        {
          key: 'type',
          label: t('type'),
          options: PAYMENT_TYPES.map((value) => ({ value, label: t(typeTexts[value]) })),
        },
        {
          key: 'status',
          label: t('status'),
          options: STATUSES.map((value) => ({ value, label: statusText(value) })),
        },
      ]}
      columns={useColumns({ onRefund: setRefund, onReverse: setReversed })}
      rowKey={({ _id }) => _id}
      failed={t('loadFailed')}
      empty={{ icon: 'wallet', title: t('emptyTitle'), text: t('emptyText') }}
      above={
        <>
          <Totals />
          <WaitingReversals />
        </>
      }
    >
      {reversed && <ReverseDialog payment={reversed} onClose={() => setReversed(null)} />}
      {refund && <RefundDialog payment={refund} onClose={() => setRefund(null)} />}
    </ListScreen>
  );
}

function Totals() {
  const t = useTexts(paymentsTexts);
  const totals = useQuery(paymentTotalsQuery(30));
  if (totals.isError)
    return (
      <ErrorState
        title={toastText(totals.error, t('totalsFailed'))}
        onRetry={() => void totals.refetch()}
        retrying={totals.isFetching}
      />
    );
  const card = (key: 'volume' | 'top_ups' | 'refunds' | 'pending' | 'failed' | 'reversed', label: string) => {
    const sum = totals.data?.[key];
    return {
      key,
      label,
      value: sum && money(sum.amount),
      note: sum && t('count', { count: sum.count }),
    };
  };
  return (
    <CountCards
      label={t('totals')}
      cards={[
        { ...card('volume', t('volume')), tone: 'info' },
        card('top_ups', t('topUps')),
        card('refunds', t('refunds')),
        { ...card('pending', statusText('pending')), tone: 'waiting' },
        card('failed', statusText('failed')),
        card('reversed', statusText('reversed')),
      ]}
    />
  );
}

type Acts = Record<'onRefund' | 'onReverse', (payment: AdminPayment) => void>;

function useColumns({ onRefund, onReverse }: Acts): Column<AdminPayment>[] {
  const t = useTexts(paymentsTexts);
  return [
    {
      key: 'what',
      header: t('what'),
      title: true,
      cell: (payment) => (
        <span className={css.two}>
          {payment.document_id ? (
            <Link className="k-row-link" to={`/admin/documents/${payment.document_id}`}>
              {payment.document_name}
            </Link>
          ) : (
            <span>{t(typeTexts[payment.type])}</span>
          )}
          {payment.document_id && <span className={css.note}>{t(typeTexts[payment.type])}</span>}
          <span className={`${css.note} k-num k-nowrap`}>{formatDateTime(payment.created_at)}</span>
        </span>
      ),
    },
    {
      key: 'who',
      header: t('user'),
      cell: ({ user_name, char_id }) => (
        <span className={css.two}>
          <span>{userName(user_name)}</span>
          {char_id && <CodeText code={char_id} label={t('charId')} />}
        </span>
      ),
    },
    {
      key: 'amount',
      header: t('amount'),
      align: 'end',
      sortable: true,
      cell: ({ amount, card_fee, type }) => (
        <span className={css.two}>
          <span className="k-num k-nowrap">{money(amount)}</span>
          {card_fee > 0 && (
            <span className={css.note}>
              {t(type === 'refund' ? 'feeWithin' : 'feeOnTop', { amount: money(card_fee) })}
            </span>
          )}
        </span>
      ),
    },
    { key: 'status', header: t('status'), cell: ({ status }) => <StatusStamp status={status} /> },
    {
      key: 'order',
      header: t('orderId'),
      cell: ({ order_id }) => (order_id ? <CodeText code={order_id} label={t('orderId')} short /> : '–'),
    },
    {
      key: 'payment',
      header: t('paymentId'),
      cell: ({ payment_id }) =>
        payment_id ? <CodeText code={payment_id} label={t('paymentId')} short /> : '–',
    },
    {
      key: 'actions',
      header: t('actions'),
      actions: true,
      cell: (payment) => {
        if (payment.status !== 'completed' || payment.type === 'refund') return null;
        const isTopUp = payment.type === 'top_up';
        return (
          <Button compact onClick={() => (isTopUp ? onRefund : onReverse)(payment)}>
            {t(isTopUp ? 'refund' : 'reverse')}
          </Button>
        );
      },
    },
  ];
}
