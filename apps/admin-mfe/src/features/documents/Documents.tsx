import { call, type Input } from '@karaar/api-client';
import { documentsRoutes, type AdminDocument, type DocumentStatus } from '@karaar/contracts/documents/http';
import { DOCUMENT_STATUSES } from '@karaar/contracts/documents/status';
import { useTexts } from '@karaar/i18n';
import { CodeText, formatDate, StatusStamp, statusText, userName } from '@karaar/ui';
import type { Column } from '@karaar/ui/tables';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { CountCards } from '../../shared/CountCards.tsx';
import { ListScreen } from '../../shared/ListScreen.tsx';
import { useFilters } from '../../shared/useFilters.ts';
import { documentCountsQuery } from './queries.ts';
import { documentsTexts } from './texts.ts';

const KEYS = ['search', 'status', 'from', 'to', 'sort'] as const;
const TONES: Partial<Record<DocumentStatus, 'verified' | 'waiting' | 'info'>> = {
  pending: 'waiting',
  approved: 'verified',
  finalized: 'info',
};
/** The address may contain invalid values; the service checks them. */
type Query = NonNullable<Input<typeof documentsRoutes.adminDocumentsPage>['query']>;

/** The documents of all users. */
export default function Documents() {
  const t = useTexts(documentsTexts);
  const filters = useFilters(KEYS);
  return (
    <ListScreen
      title={t('title')}
      name="documents"
      filters={filters}
      load={(query, signal) =>
        call(documentsRoutes.adminDocumentsPage, { query: query as Query }, { signal })
      }
      download={(query) => call(documentsRoutes.adminDocumentsExport, { query: query as Query })}
      searchLabel={t('searchLabel')}
      choices={[
        {
          key: 'status',
          label: t('status'),
          options: DOCUMENT_STATUSES.map((value) => ({ value, label: statusText(value) })),
        },
      ]}
      columns={useColumns()}
      rowKey={({ document_id }) => document_id}
      failed={t('loadFailed')}
      empty={{ icon: 'document', title: t('emptyTitle'), text: t('emptyText') }}
      above={<Counts />}
    />
  );
}

function Counts() {
  const t = useTexts(documentsTexts);
  const { data } = useQuery(documentCountsQuery(30));
  return (
    <CountCards
      label={t('counts')}
      cards={[
        { key: 'total', label: t('total'), value: data?.total },
        ...DOCUMENT_STATUSES.map((status) => ({
          key: status,
          label: statusText(status),
          value: data?.[status],
          tone: TONES[status],
        })),
      ]}
    />
  );
}

function useColumns(): Column<AdminDocument>[] {
  const t = useTexts(documentsTexts);
  return [
    {
      key: 'name',
      header: t('name'),
      title: true,
      sortable: true,
      cell: ({ document_id, name }) => (
        <Link className="k-row-link" to={`/admin/documents/${document_id}`}>
          {name}
        </Link>
      ),
    },
    {
      key: 'code',
      header: t('code'),
      cell: ({ document_code }) => <CodeText code={document_code} label={t('code')} />,
    },
    {
      key: 'status',
      header: t('status'),
      cell: ({ status, cancelled }) => <StatusStamp status={status} cancelled={cancelled !== undefined} />,
    },
    { key: 'creator', header: t('creator'), cell: (document) => userName(document.primary_user_name) },
    {
      key: 'parties',
      header: t('parties'),
      align: 'end',
      cell: (document) => document.involved_users.length,
    },
    {
      key: 'created',
      header: t('created'),
      sortable: true,
      cell: ({ created_at }) => <span className="k-num k-nowrap">{formatDate(created_at)}</span>,
    },
  ];
}
