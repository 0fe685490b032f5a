import { call } from '@karaar/api-client';
import { reportRoutes, type Report } from '@karaar/contracts/messaging/reports';
import { useTexts } from '@karaar/i18n';
import { Badge, Button, CodeText, formatDateTime, userName } from '@karaar/ui';
import type { Column } from '@karaar/ui/tables';
import { useState } from 'react';
import { Link } from 'react-router';
import { ListScreen } from '../../shared/ListScreen.tsx';
import css from '../../shared/shared.module.css';
import { useFilters } from '../../shared/useFilters.ts';
import { CloseReport } from './CloseReport.tsx';
import { askFor, pageOf, STATES } from './page.ts';
import { reportsTexts } from './texts.ts';

const stateTexts = { open: 'open', resolved: 'closed', all: 'all' } as const;
const reasonTexts = {
  spam: 'reasonSpam',
  abuse: 'reasonAbuse',
  fraud: 'reasonFraud',
  impersonation: 'reasonImpersonation',
  other: 'reasonOther',
  invitations: 'reasonInvitations',
} as const satisfies Record<Report['reason'], string>;

/** The reported users and the reasons. Admins do not see the messages between the two users. */
export default function Reports() {
  const t = useTexts(reportsTexts);
  const filters = useFilters(['status']);
  const [selected, setSelected] = useState<Report | null>(null);
  return (
    <ListScreen
      title={t('title')}
      lead={t('lead')}
      name="reports"
      filters={filters}
      load={async (query, signal) =>
        pageOf(await call(reportRoutes.adminReports, { query: askFor(query) }, { signal }), query.limit)
      }
      choices={[
        {
          key: 'status',
          label: t('state'),
          usual: STATES[0],
          options: STATES.map((value) => ({ value, label: t(stateTexts[value]) })),
        },
      ]}
      columns={useColumns(setSelected)}
      rowKey={({ _id }) => _id}
      failed={t('loadFailed')}
      empty={{ icon: 'flag', title: t('emptyTitle'), text: t('emptyText') }}
    >
      {selected && <CloseReport report={selected} onClose={() => setSelected(null)} />}
    </ListScreen>
  );
}

/** A person in the list. A deleted account has neither name nor id. */
function Who({ person, linked }: { person: Report['reported']; linked?: boolean }) {
  const t = useTexts(reportsTexts);
  const name = userName(person.name);
  if (!person.char_id) return <span>{name}</span>;
  return (
    <span className={css.two}>
      {linked ? (
        <Link className="k-row-link" to={`/admin/users?search=${encodeURIComponent(person.char_id)}`}>
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
      <CodeText code={person.char_id} label={t('charId')} />
    </span>
  );
}

function useColumns(ask: (report: Report) => void): Column<Report>[] {
  const t = useTexts(reportsTexts);
  return [
    {
      key: 'reported',
      header: t('reported'),
      title: true,
      cell: ({ reported }) => <Who person={reported} linked />,
    },
    {
      key: 'reporter',
      header: t('reporter'),
      cell: ({ reporter }) => (reporter ? <Who person={reporter} /> : t('automatic')),
    },
    {
      key: 'reason',
      header: t('reason'),
      cell: ({ reason, details }) => (
        <span className={css.two}>
          <span>{t(reasonTexts[reason], { count: details })}</span>
          {details && reason !== 'invitations' && (
            <span className={css.note} translate="no">
              {details}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'created',
      header: t('created'),
      cell: ({ created_at }) => <span className="k-num k-nowrap">{formatDateTime(created_at)}</span>,
    },
    {
      key: 'state',
      header: t('state'),
      cell: ({ resolved_at, note }) =>
        resolved_at ? (
          <span className={css.two}>
            <span>
              <Badge tone="verified">{t('closed')}</Badge>
            </span>
            <span className={css.note}>
              <span className="k-num">{formatDateTime(resolved_at)}</span>
              {note && <span translate="no">{` · ${note}`}</span>}
            </span>
          </span>
        ) : (
          <Badge tone="waiting">{t('open')}</Badge>
        ),
    },
    {
      key: 'actions',
      header: t('actions'),
      actions: true,
      cell: (report) =>
        !report.resolved_at && (
          <Button compact onClick={() => ask(report)}>
            {t('close')}
          </Button>
        ),
    },
  ];
}
