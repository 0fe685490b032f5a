import { call, type Input } from '@karaar/api-client';
import { authRoutes, type AuditEntry } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Badge, formatDateTime } from '@karaar/ui';
import type { Column } from '@karaar/ui/tables';
import { Link } from 'react-router';
import { ListScreen } from '../../shared/ListScreen.tsx';
import css from '../../shared/shared.module.css';
import { useFilters } from '../../shared/useFilters.ts';
import { AREAS, wordOf } from './actions.ts';
import { auditTexts } from './texts.ts';

const KEYS = ['search', 'action', 'from', 'to'] as const;
type Query = NonNullable<Input<typeof authRoutes.adminAudit>['query']>;

/** The append-only log of admin actions; read-only here too. */
export default function Audit() {
  const t = useTexts(auditTexts);
  const filters = useFilters(KEYS);
  return (
    <ListScreen
      title={t('title')}
      lead={t('lead')}
      name="audit"
      filters={filters}
      load={(query, signal) => call(authRoutes.adminAudit, { query: query as Query }, { signal })}
      download={(query) => call(authRoutes.adminAuditExport, { query: query as Query })}
      searchLabel={t('searchLabel')}
      choices={[
        {
          key: 'action',
          label: t('area'),
          options: AREAS.map(({ value, label }) => ({ value, label: t(label) })),
        },
      ]}
      columns={useColumns()}
      rowKey={({ _id }) => _id}
      failed={t('loadFailed')}
      empty={{ icon: 'scroll', title: t('emptyTitle'), text: t('emptyText') }}
    />
  );
}

function useColumns(): Column<AuditEntry>[] {
  const t = useTexts(auditTexts);
  return [
    {
      key: 'action',
      header: t('action'),
      title: true,
      cell: ({ action }) => {
        const word = wordOf(action);
        return word ? t(word) : <span lang="en">{action}</span>;
      },
    },
    {
      key: 'admin',
      header: t('admin'),
      cell: ({ admin_name }) => <Badge>{admin_name || t('unknownAdmin')}</Badge>,
    },
    {
      key: 'target',
      header: t('target'),
      cell: ({ target, target_id, action }) =>
        (action === 'biometrics.opened' || action === 'court-pack.taken') && target_id ? (
          <Link className={css.mono} to={`/admin/documents/${target_id}`} translate="no">
            {target}
          </Link>
        ) : (
          <span className={css.mono} translate="no">
            {target || target_id || '–'}
          </span>
        ),
    },
    {
      key: 'reason',
      header: t('reason'),
      cell: ({ reason }) => <span translate="no">{reason || '–'}</span>,
    },
    {
      key: 'at',
      header: t('at'),
      cell: ({ at }) => <span className="k-num k-nowrap">{formatDateTime(at)}</span>,
    },
  ];
}
