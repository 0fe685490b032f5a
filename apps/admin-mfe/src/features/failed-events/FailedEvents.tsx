import { call, toastText } from '@karaar/api-client';
import { deadLetterRoutes, type DeadLetter } from '@karaar/contracts/auth/dead-letters-http';
import { PUBLISHERS } from '@karaar/contracts/names';
import { useTexts } from '@karaar/i18n';
import { EmptyState, ErrorState, Banner, Sheet } from '@karaar/ui';
import { TableSkeleton } from '@karaar/ui/skeletons';
import { DataTable } from '@karaar/ui/tables';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { ListTools } from '../../shared/ListTools.tsx';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { useFilters } from '../../shared/useFilters.ts';
import { DropDialog } from './DropDialog.tsx';
import { failedEventsTexts } from './texts.ts';
import { useColumns } from './useColumns.tsx';

/** The purpose of each service, for admins. */
const NAMES = {
  auth: 'ofAuth',
  documents: 'ofDocuments',
  payments: 'ofPayments',
  wallet: 'ofWallet',
  messaging: 'ofMessaging',
  notifications: 'ofNotifications',
  cms: 'ofCms',
} as const;

/** Events that a service could not apply: an admin retries or drops them. */
export default function FailedEvents() {
  const t = useTexts(failedEventsTexts);
  const filters = useFilters(['service']);
  const [dropping, setDropping] = useState<DeadLetter | null>(null);
  return (
    <AdminPage title={t('title')} lead={t('lead')}>
      <Sheet flush>
        <ListTools
          filters={filters}
          searchLabel={undefined}
          choices={[
            {
              key: 'service',
              label: t('service'),
              options: PUBLISHERS.map((value) => ({ value, label: t(NAMES[value]) })),
            },
          ]}
        />
        <Letters service={filters.values.service} onDrop={setDropping} />
      </Sheet>
      {dropping && <DropDialog letter={dropping} onClose={() => setDropping(null)} />}
    </AdminPage>
  );
}

/** @param service from the address; the server checks it */
function Letters({ service, onDrop }: { service: string; onDrop: (letter: DeadLetter) => void }) {
  const t = useTexts(failedEventsTexts);
  const columns = useColumns(onDrop);
  const list = useQuery({
    queryKey: [ADMIN_KEY, 'failed-events', service],
    queryFn: ({ signal }) =>
      call(
        deadLetterRoutes.listDeadLetters,
        { query: service ? { service: service as DeadLetter['service'] } : {} },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  if (list.isPending) return <TableSkeleton label={t('title')} />;
  if (list.isError)
    return (
      <ErrorState
        title={toastText(list.error, t('loadFailed'))}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  const { items, total, away } = list.data;
  return (
    <>
      {away.length > 0 && (
        <Banner tone="warning">
          {t('away', { services: away.map((each) => t(NAMES[each])).join(', ') })}
        </Banner>
      )}
      {total > items.length && <Banner>{t('more', { shown: items.length, total })}</Banner>}
      {items.length > 0 && (
        <DataTable
          caption={t('title')}
          columns={columns}
          rows={items}
          rowKey={(letter) => `${letter.service} ${letter.handler} ${letter.event_id}`}
          busy={list.isPlaceholderData}
        />
      )}
      {items.length === 0 && away.length === 0 && (
        <EmptyState icon="check" title={t('emptyTitle')} text={t('emptyText')} />
      )}
    </>
  );
}
