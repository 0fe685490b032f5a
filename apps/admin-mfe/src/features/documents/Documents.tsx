import { call, type Input } from '@karaar/api-client';
import { documentsRoutes, type AdminDocument, type DocumentStatus } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { CodeText, formatDate, StatusStamp, statusText, userName } from '@karaar/ui';
import { FilterChips, type Column } from '@karaar/ui/tables';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { AdminList } from '../../shared/AdminList.tsx';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { CountCards } from '../../shared/CountCards.tsx';
import { Days } from '../../shared/Days.tsx';
import { ExportButton } from '../../shared/ExportButton.tsx';
import css from '../../shared/shared.module.css';
import { sortingOf, sortOf } from '../../shared/sorting.ts';
import { useFilters } from '../../shared/useFilters.ts';
import { documentCountsQuery } from './queries.ts';
import { documentsTexts } from './texts.ts';

const KEYS = ['search', 'status', 'from', 'to', 'sort'] as const;
/** Draft, pending, approved and finalized are the specification's; the others exist as well (§4). */
const STATUSES: readonly DocumentStatus[] = [
  'draft',
  'pending',
  'pending_approval',
  'approved',
  'finalized',
  'rejected',
];
const TONES: Partial<Record<DocumentStatus, 'verified' | 'waiting' | 'info'>> = {
  pending: 'waiting',
  approved: 'verified',
  finalized: 'info',
};
/** An address may carry anything; the service checks it. */
type Query = NonNullable<Input<typeof documentsRoutes.adminDocumentsPage>['query']>;

/** Everybody's documents. */
export default function Documents() {
  const t = useTexts(documentsTexts);
  const filters = useFilters(KEYS);
  const counts = useQuery(documentCountsQuery(30));
  const { status, sort } = filters.values;
  return (
    <AdminPage
      title={t('title')}
      actions={
        <ExportButton
          name="documents"
          load={() => call(documentsRoutes.adminDocumentsExport, { query: filters.values as Query })}
        />
      }
    >
      <CountCards
        label={t('counts')}
        cards={[
          { key: 'total', label: t('total'), value: counts.data?.total },
          ...STATUSES.map((each) => ({
            key: each,
            label: statusText(each),
            value: counts.data?.[each],
            tone: TONES[each],
          })),
        ]}
      />
      <AdminList
        title={t('title')}
        name="documents"
        filters={filters}
        load={(query, signal) =>
          call(documentsRoutes.adminDocumentsPage, { query: query as Query }, { signal })
        }
        searchLabel={t('searchLabel')}
        tools={<Days filters={filters} />}
        chips={
          <FilterChips
            label={t('status')}
            single
            chips={STATUSES.map((each) => ({ value: each as string, label: statusText(each) }))}
            chosen={status ? [status] : []}
            onChange={([chosen]) => filters.set({ status: chosen ?? '' })}
          />
        }
        columns={useColumns()}
        rowKey={({ document_id }) => document_id}
        table={{
          sorting: sortingOf(sort),
          onSort: (sorting) => filters.set({ sort: sortOf(sorting) }),
        }}
        failed={t('loadFailed')}
        empty={{ icon: 'document', title: t('emptyTitle'), text: t('emptyText') }}
      />
    </AdminPage>
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
        <Link className={css.link} to={`/admin/documents/${document_id}`}>
          {name}
        </Link>
      ),
    },
    {
      key: 'code',
      header: t('code'),
      cell: ({ document_code }) => <CodeText code={document_code} label={t('code')} />,
    },
    { key: 'status', header: t('status'), cell: ({ status }) => <StatusStamp status={status} /> },
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
