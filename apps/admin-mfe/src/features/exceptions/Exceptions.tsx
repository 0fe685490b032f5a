import { call, type Input } from '@karaar/api-client';
import {
  EXCEPTION_STATES,
  exceptionRoutes,
  type PaymentException,
} from '@karaar/contracts/wallet/exceptions';
import { useTexts } from '@karaar/i18n';
import { Badge, Button, CodeText, formatDateTime, money } from '@karaar/ui';
import type { Column } from '@karaar/ui/tables';
import { useState } from 'react';
import { ListScreen } from '../../shared/ListScreen.tsx';
import css from '../../shared/shared.module.css';
import { useAdmin } from '../../shared/useAdmin.ts';
import { useFilters } from '../../shared/useFilters.ts';
import { Comparison } from './Comparison.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { ProposeDialog } from './ProposeDialog.tsx';
import { exceptionsTexts } from './texts.ts';
import { KIND_TEXTS, RESOLUTION_TEXTS, STATE_TEXTS } from './words.ts';

/** The address may contain invalid values; the service checks them. */
type Query = NonNullable<Input<typeof exceptionRoutes.listExceptions>['query']>;
type OpenDialog = { row: PaymentException; action: 'propose' | 'confirm' };

const TONES = { open: 'waiting', proposed: 'info', resolved: 'verified' } as const;

/** Differences between the card provider's records and ours, which two admins resolve. */
export default function Exceptions() {
  const t = useTexts(exceptionsTexts);
  const filters = useFilters(['state']);
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <ListScreen
      title={t('title')}
      lead={t('lead')}
      name="exceptions"
      filters={filters}
      load={({ state, cursor, limit }, signal) =>
        call(
          exceptionRoutes.listExceptions,
          { query: { ...(state ? { state } : {}), ...(cursor ? { cursor } : {}), limit } as Query },
          { signal },
        )
      }
      choices={[
        {
          key: 'state',
          label: t('state'),
          options: EXCEPTION_STATES.map((value) => ({ value, label: t(STATE_TEXTS[value]) })),
        },
      ]}
      columns={useColumns(setOpenDialog)}
      rowKey={({ exception_id }) => exception_id}
      failed={t('loadFailed')}
      empty={{ icon: 'check', title: t('emptyTitle'), text: t('emptyText') }}
      above={<Comparison />}
    >
      {openDialog?.action === 'propose' && <ProposeDialog row={openDialog.row} onClose={close} />}
      {openDialog?.action === 'confirm' && <ConfirmDialog row={openDialog.row} onClose={close} />}
    </ListScreen>
  );
}

/**
 * The proposed or confirmed resolution with its reason, and whether the viewer proposed it. The audit log has
 * the names.
 */
function Decision({ row }: { row: PaymentException }) {
  const t = useTexts(exceptionsTexts);
  const { me } = useAdmin();
  if (!row.resolution) return <span>–</span>;
  return (
    <span className={css.two}>
      <span>{t(RESOLUTION_TEXTS[row.resolution])}</span>
      {row.refund_state && (
        <span className={css.note}>{t(row.refund_state === 'done' ? 'refundDone' : 'refundAsked')}</span>
      )}
      {row.reason && (
        <span className={css.note} translate="no">
          {row.reason}
        </span>
      )}
      {row.state === 'proposed' && (
        <span className={css.note}>{t(row.proposed_by === me.admin_id ? 'byYou' : 'byOther')}</span>
      )}
    </span>
  );
}

function useColumns(ask: (dialog: OpenDialog) => void): Column<PaymentException>[] {
  const t = useTexts(exceptionsTexts);
  const { me } = useAdmin();
  return [
    {
      key: 'kind',
      header: t('kind'),
      title: true,
      cell: ({ kind, since }) => (
        <span className={css.two}>
          <span>{t(KIND_TEXTS[kind])}</span>
          <span className={`${css.note} k-num k-nowrap`}>{formatDateTime(since)}</span>
        </span>
      ),
    },
    {
      key: 'amount',
      header: t('amount'),
      align: 'end',
      cell: ({ amount }) => <span className="k-num k-nowrap">{money(amount)}</span>,
    },
    {
      key: 'subject',
      header: t('subject'),
      cell: ({ subject }) => <CodeText code={subject} label={t('subject')} short />,
    },
    {
      key: 'state',
      header: t('state'),
      cell: ({ state }) => <Badge tone={TONES[state]}>{t(STATE_TEXTS[state])}</Badge>,
    },
    { key: 'decision', header: t('resolution'), cell: (row) => <Decision row={row} /> },
    {
      key: 'actions',
      header: t('actions'),
      actions: true,
      cell: (row) => {
        if (row.state === 'resolved') return null;
        const mayConfirm = row.state === 'proposed' && row.proposed_by !== me.admin_id;
        return mayConfirm ? (
          <Button compact onClick={() => ask({ row, action: 'confirm' })}>
            {t('confirm')}
          </Button>
        ) : (
          <Button compact onClick={() => ask({ row, action: 'propose' })}>
            {t(row.state === 'open' ? 'propose' : 'proposeAgain')}
          </Button>
        );
      },
    },
  ];
}
